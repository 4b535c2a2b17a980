// Speed against matrix order as an SVG file, one colour a kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace speed_plot {

struct Point {
  std::int64_t n;
  double speed;      ///< GFLOP/s
  double reference;  ///< GFLOP/s of the LAPACK loop; 0 where it was not measured
  std::string kernel;
};

/// Logarithmic axes: a data value to a place on the page.
struct Axis {
  double low, high, from, to;
  double operator()(double value) const {
    return from + (to - from) * std::log(value / low) / std::log(high / low);
  }
};

inline std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

inline std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

class Page {
 public:
  void text(double x, double y, const std::string& words, const std::string& style = "") {
    body_ +=
        "<text x='" + number(x) + "' y='" + number(y) + "' " + style + ">" + escaped(words) + "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, const std::string& style) {
    body_ += "<line x1='" + number(x1) + "' y1='" + number(y1) + "' x2='" + number(x2) + "' y2='" +
             number(y2) + "' " + style + "/>\n";
  }
  void path(const std::vector<std::pair<double, double>>& places, const std::string& style) {
    body_ += "<polyline fill='none' " + style + " points='";
    for (const auto& [x, y] : places) body_ += number(x) + "," + number(y) + " ";
    body_ += "'/>\n";
  }
  void dot(double x, double y, const std::string& colour) {
    body_ += "<circle cx='" + number(x) + "' cy='" + number(y) + "' r='5.5' fill='" + colour +
             "' stroke='white' stroke-width='1.5'/>\n";
  }
  bool write(const std::string& file, int width, int height) const {
    std::ofstream out(file);
    out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width << "' height='" << height
        << "' viewBox='0 0 " << width << " " << height
        << "' font-family='sans-serif' font-size='13' fill='#222'>\n"
        << "<rect width='100%' height='100%' fill='white'/>\n"
        << body_ << "</svg>\n";
    return static_cast<bool>(out.flush());
  }

 private:
  std::string body_;
};

/// Draws `points`, ordered by n; returns false where the file cannot be written.
inline bool write_svg(const std::string& file, const std::string& title, const std::string& subtitle,
                      const std::vector<Point>& points) {
  constexpr int width = 860, height = 500;
  constexpr double left = 76, right = 660, top = 78, bottom = 436;
  // Okabe and Ito's colours, which also differ for colour-blind readers.
  const std::vector<std::string> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};

  double low = 1e300, high = 0;
  for (const Point& point : points)
    for (const double speed : {point.speed, point.reference})
      if (speed > 0) low = std::min(low, speed), high = std::max(high, speed);
  const Axis x{0.85 * points.front().n, 1.18 * points.back().n, left, right};
  const Axis y{low / 1.4, high * 1.4, bottom, top};

  Page page;
  page.text(left, 30, title, "font-size='17' font-weight='bold'");
  page.text(left, 52, subtitle, "fill='#555'");
  for (int decade = -4; decade < 7; ++decade)
    for (const int step : {1, 2, 5}) {
      const double value = step * std::pow(10.0, decade);
      if (value < y.low || value > y.high) continue;
      page.line(left, y(value), right, y(value), step == 1 ? "stroke='#ccc'" : "stroke='#eee'");
      page.text(left - 8, y(value) + 4.5, number(value), "text-anchor='end'");
    }
  double last_label = -100;
  for (const Point& point : points) {
    page.line(x(point.n), bottom, x(point.n), bottom + 5, "stroke='#222'");
    if (x(point.n) - last_label < 24) continue;
    last_label = x(point.n);
    page.text(x(point.n), bottom + 20, std::to_string(point.n), "text-anchor='middle'");
  }
  page.line(left, bottom, right, bottom, "stroke='#222'");
  page.line(left, top, left, bottom, "stroke='#222'");
  page.text((left + right) / 2, bottom + 44, "matrix order n", "text-anchor='middle'");
  const std::string middle = number((top + bottom) / 2);
  page.text(22, (top + bottom) / 2, "GFLOP/s",
            "text-anchor='middle' transform='rotate(-90 22 " + middle + ")'");

  std::vector<std::pair<double, double>> speeds, references;
  for (const Point& point : points) {
    speeds.emplace_back(x(point.n), y(point.speed));
    if (point.reference > 0) references.emplace_back(x(point.n), y(point.reference));
  }
  page.path(references, "stroke='#888' stroke-width='2' stroke-dasharray='6 4'");
  page.path(speeds, "stroke='#bbb' stroke-width='2'");

  std::vector<std::string> kernels;
  double legend = top + 14;
  page.text(right + 24, legend, "kernel chosen", "font-weight='bold'");
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto known = std::find(kernels.begin(), kernels.end(), points[i].kernel);
    const auto& colour = colours[static_cast<std::size_t>(known - kernels.begin()) % colours.size()];
    if (known == kernels.end()) {
      kernels.push_back(points[i].kernel);
      legend += 24;
      page.dot(right + 31, legend - 4.5, colour);
      page.text(right + 46, legend, points[i].kernel);
    }
    page.dot(speeds[i].first, speeds[i].second, colour);
  }
  if (!references.empty()) {
    legend += 30;
    page.line(right + 22, legend - 4.5, right + 40, legend - 4.5,
              "stroke='#888' stroke-width='2' stroke-dasharray='6 4'");
    page.text(right + 46, legend, "LAPACK loop");
  }
  return page.write(file, width, height);
}

}  // namespace speed_plot
