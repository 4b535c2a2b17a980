#include "select/op.hh"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/text.hh"
#include "select/table_store.hh"

namespace batchlas::inline v0::select {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

/// The candidates named by `words` (families or spellings) first, the rest in list order.
std::vector<std::uint8_t> order_by(const std::vector<Candidate>& listed, std::string_view words) {
  std::vector<std::uint8_t> order;
  const auto add = [&](std::size_t i) {
    if (std::find(order.begin(), order.end(), i) == order.end())
      order.push_back(static_cast<std::uint8_t>(i));
  };
  for (const auto word : base::words(words))
    for (std::size_t i = 0; i < listed.size(); ++i)
      if (listed[i].spelling == word || listed[i].spelling.starts_with(std::string(word) + ':')) add(i);
  for (std::size_t i = 0; i < listed.size(); ++i) add(i);
  return order;
}

}  // namespace

OpBase::OpBase(Description description)
    : id_(next_id()),
      name_(description.name),
      keys_(parse_key_spec(description.keys, description.symbols)),
      families_(description.families),
      candidates_(std::move(description.candidates)),
      grid_(std::move(description.grid)) {
  for (int dtype = 0; dtype < 4; ++dtype) {
    const auto& listed = candidates_[dtype];
    if (listed.size() > std::numeric_limits<std::uint8_t>::max())
      throw std::invalid_argument(name_ + ": more than 255 candidates");
    for (std::size_t i = 0; i < listed.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (listed[i].spelling == listed[j].spelling)
          throw std::invalid_argument(name_ + ": candidate " + listed[i].spelling + " twice");
    last_resort_[dtype] = order_by(listed, description.last_resort);
  }
  tables_ = std::make_unique<TableStore>(*this, description.tables);
}

OpBase::~OpBase() = default;

std::string OpBase::candidate_text(DType dtype) const {
  std::vector<std::string> spellings;
  for (const Candidate& candidate : listed(dtype)) spellings.push_back(candidate.spelling);
  return base::join(spellings, ", ");
}

std::size_t OpBase::index_of(DType dtype, std::string_view spelling) const {
  const Spelled spelled = read_spelling(families_, spelling);
  std::string problem = spelled.error;
  if (problem.empty()) {
    const FamilyInfo& family = families_[spelled.family];
    const std::string canonical = spell(family, std::span(spelled.values).first(family.fields.size()));
    const auto& list = listed(dtype);
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Candidate& c) { return c.spelling == canonical; });
    if (found != list.end()) return found - list.begin();
    problem = canonical + " is not built for " + std::string(batchlas::name(dtype));
  }
  throw std::invalid_argument(name_ + ": choice \"" + std::string(spelling) + "\": " + problem +
                              "; candidates for " + std::string(batchlas::name(dtype)) + ": " +
                              candidate_text(dtype));
}

bool OpBase::first_warning(Warning kind) const {
  return !warned_[static_cast<int>(kind)].exchange(true, std::memory_order_relaxed);
}

}  // namespace batchlas::inline v0::select
