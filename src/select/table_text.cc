#include "select/table_text.hh"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hh"

namespace batchlas::inline v0::select {
namespace {

constexpr std::array dtypes{DType::Float, DType::Double, DType::CFloat, DType::CDouble};

/// One parse: where it is, and what it has seen.
class Parser {
 public:
  Parser(const OpBase& op, TableFile& file) : op_(op), file_(file) {}

  void parse() {
    std::string_view rest = file_.source.text;
    while (!rest.empty()) {
      ++line_;
      const std::string_view line = base::trim(base::cut(rest, '\n'));
      if (line.empty()) continue;
      if (line.front() == '#')
        header_line(base::trim(line.substr(1)));
      else
        row_line(line);
    }
    if (!seen_keys_) fail("no \"# keys:\" line", "# keys: " + key_text());
    if (untimed_line_ && !seen_source_) {
      line_ = untimed_line_;
      fail("an untimed row in a table without a source",
           "a header line # source=ledger:<file> or # source=transcribed:<sha>");
    }
    check_duplicates();
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const {
    throw TableError(file_.source.file + ':' + std::to_string(line_) + ": " + problem + ", expected " +
                     expected);
  }

  std::string key_text() const { return "dtype:exact " + op_.keys().to_text(); }

  void header_line(std::string_view line) {
    if (line.starts_with("keys:")) return keys_line(base::trim(line.substr(5)));
    if (line.starts_with("op=")) return op_line(line);
    if (line.starts_with("sku ")) return sku_line(line.substr(4));
    if (line.starts_with("source=")) seen_source_ = true;
  }

  void keys_line(std::string_view text) {
    // The loader trusts its op, not the file, for weights: a table of other keys would be misread silently.
    if (base::join(base::words(text), " ") != key_text())
      fail("keys \"" + std::string(text) + '"', '"' + key_text() + '"');
    seen_keys_ = true;
  }

  void op_line(std::string_view line) {
    const auto fields = assignments(line);
    const auto check = [&](std::string_view name, const std::string& wanted) {
      const auto found = fields.find(name);
      if (found == fields.end() || found->second != wanted)
        fail(std::string(name) + '=' + (found == fields.end() ? "" : found->second),
             std::string(name) + '=' + wanted);
    };
    check("op", op_.name());
    check("device", file_.source.device);
    seen_op_ = true;
  }

  void sku_line(std::string_view line) {
    const auto fields = assignments(line);
    const auto number = [&](std::string_view name) -> std::int64_t {
      const auto found = fields.find(name);
      if (found == fields.end()) return 0;
      const auto value = base::parse_int(found->second);
      if (!value || *value < 0) fail(std::string(name) + '=' + found->second, "a count");
      return *value;
    };
    Sku& sku = file_.source.sku;
    if (const auto found = fields.find("name"); found != fields.end()) sku.name = found->second;
    sku.sms = static_cast<int>(std::max(number("sms"), number("cores")));
    sku.simd_bytes = static_cast<int>(number("simd_bytes"));
    sku.sub_group = static_cast<int>(number("sub_group"));
    sku.max_work_group = static_cast<int>(number("max_work_group"));
    sku.local_bytes = number("local_bytes");
    sku.l2_bytes = number("l2_bytes");
    sku.memory_bytes = number("memory_bytes");
  }

  /// name=value pairs; a value runs to the next pair, so that it may hold blanks (name=NVIDIA H200), and may
  /// be quoted.
  static std::map<std::string, std::string, std::less<>> assignments(std::string_view line) {
    std::map<std::string, std::string, std::less<>> fields;
    std::string* last = nullptr;
    for (std::string_view word : base::words(line)) {
      const auto equals = word.find('=');
      if (equals != word.npos)
        *(last = &fields[std::string(word.substr(0, equals))]) = word.substr(equals + 1);
      else if (last)
        (*last += ' ') += word;
    }
    for (auto& [name, value] : fields)
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
    return fields;
  }

  void row_line(std::string_view line) {
    if (!seen_op_) fail("a row before the header", "# op=" + op_.name() + " device=" + file_.source.device);
    if (!seen_keys_) fail("a row before the key list", "# keys: " + key_text());
    line = line.substr(0, line.find('#'));  // the comment is the row's ledger tier
    std::string_view keys = base::cut(line, '|');
    const DType dtype = read_dtype(base::cut_word(keys));
    Row row;
    row.line = line_;
    row.key = read_keys(keys);
    auto& entries = file_.entries[static_cast<int>(dtype)];
    row.first_entry = static_cast<std::uint32_t>(entries.size());
    line = base::trim(line);
    if (line.empty() || line.ends_with('|')) fail("a row with an empty candidate", "| <candidate> <ms>");
    while (!line.empty()) read_entry(dtype, base::cut(line, '|'), row);
    file_.rows[static_cast<int>(dtype)].push_back(row);
  }

  DType read_dtype(std::string_view word) const {
    for (const DType dtype : dtypes)
      if (word.starts_with("dtype=") && word.substr(6) == name(dtype)) return dtype;
    fail('"' + std::string(word) + '"', "dtype=float, double, cfloat or cdouble");
  }

  Key read_keys(std::string_view text) const {
    Key key;
    key.count = op_.keys().size();
    for (std::size_t i = 0; i < key.count; ++i) {
      const KeyField& field = op_.keys().fields[i];
      std::string_view value = base::cut_word(text);
      const std::string_view whole = value;
      if (base::cut(value, '=') != field.name) fail('"' + std::string(whole) + '"', field.name + "=<value>");
      key.values[i] = read_value(field, value);
    }
    if (const auto extra = base::cut_word(text); !extra.empty())
      fail('"' + std::string(extra) + '"', "| after " + op_.keys().fields.back().name);
    return key;
  }

  std::int64_t read_value(const KeyField& field, std::string_view text) const {
    if (!field.symbols.empty()) {
      const auto found = std::find(field.symbols.begin(), field.symbols.end(), text);
      if (found == field.symbols.end())
        fail(field.name + '=' + std::string(text), field.name + "=" + base::join(field.symbols, " or "));
      return found - field.symbols.begin();
    }
    const auto number = base::parse_int(text);
    if (!number || *number < (field.exact ? 0 : 1))
      fail(field.name + '=' + std::string(text), field.exact ? "an integer from 0" : "an integer from 1");
    return *number;
  }

  void read_entry(DType dtype, std::string_view text, Row& row) {
    const std::string_view spelling = base::cut_word(text), time = base::cut_word(text);
    const auto& listed = op_.listed(dtype);
    std::size_t candidate = 0;
    while (candidate < listed.size() && listed[candidate].spelling != spelling) ++candidate;
    if (candidate == listed.size())
      fail('"' + std::string(spelling) + "\" is no candidate for " + std::string(name(dtype)),
           listed.empty() ? "no row of this dtype" : "one of " + op_.candidate_text(dtype));
    const auto ms = base::parse_double(time);
    const bool timed = time != "-";
    if ((timed && !(ms && *ms > 0 && std::isfinite(*ms))) || time.size() > 32 || !base::trim(text).empty())
      fail('"' + std::string(time) + std::string(text) + "\" after " + std::string(spelling),
           "one time in ms, or -");
    auto& entries = file_.entries[static_cast<int>(dtype)];
    for (std::size_t i = row.first_entry; i < entries.size(); ++i) {
      if (entries[i].candidate == candidate) fail(std::string(spelling) + " twice", "each candidate once");
      if ((entries[i].ms > 0) != timed)
        fail("a row with and without times", "times for all candidates or for none");
    }
    if (!timed && !untimed_line_) untimed_line_ = line_;
    const auto offset = static_cast<std::uint32_t>(time.data() - file_.source.text.data());
    entries.push_back({static_cast<std::uint8_t>(candidate), static_cast<std::uint8_t>(time.size()), offset,
                       timed ? *ms : -1});
    ++row.entry_count;
  }

  void check_duplicates() {
    for (const auto& rows : file_.rows) {
      std::vector<const Row*> sorted;
      for (const Row& row : rows) sorted.push_back(&row);
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const Row* a, const Row* b) { return a->key.values < b->key.values; });
      for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (!(sorted[i]->key == sorted[i - 1]->key)) continue;
        line_ = sorted[i]->line;
        fail("row " + op_.keys().to_text(sorted[i]->key) + " again",
             "it only once, it is at line " + std::to_string(sorted[i - 1]->line));
      }
    }
  }

  const OpBase& op_;
  TableFile& file_;
  std::uint32_t line_ = 0;
  std::uint32_t untimed_line_ = 0;
  bool seen_op_ = false, seen_keys_ = false, seen_source_ = false;
};

}  // namespace

TableFile parse_table(const OpBase& op, TableSource source) {
  TableFile file;
  file.source = std::move(source);
  Parser(op, file).parse();
  return file;
}

}  // namespace batchlas::inline v0::select
