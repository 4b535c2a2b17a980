// Wrong arguments of potrf: each throws, names op, argument, value and what was expected, and writes nothing.
#include "potrf_support.hh"

namespace batchlas::ops_tests {
namespace {

class PotrfArguments : public ::testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    if (GetParam().absent()) GTEST_SKIP() << "skipped: no CUDA device";
    queue_.emplace(GetParam().open());
    operand_.emplace(queue(), original_);
    info_ = DeviceArray<std::int32_t>(queue().device(), 8);
  }
  // Whatever a test calls must throw or do nothing.
  void TearDown() override {
    if (!operand_) return;
    HostBatch<float> after = original_;
    operand_->read_back(after);
    EXPECT_TRUE(same_storage(original_, after));
  }
  Queue& queue() { return *queue_; }
  MatrixView<float> good() const { return operand_->view(); }
  std::span<std::int32_t> info(std::size_t count) const { return info_.span().first(count); }

  /// The message of the call, which potrf_buffer_size must agree to.
  std::string message(const MatrixView<float>& A, const PotrfOptions& options = {}) {
    const std::string text = refused([&] { potrf(queue(), A, options); });
    EXPECT_EQ(refused([&] { potrf_buffer_size(queue(), A, options); }), text);
    return text;
  }
  /// Changes one member of a good view.
  template <class V>
  MatrixView<float> with(V MatrixView<float>::*member, std::type_identity_t<V> value) const {
    MatrixView<float> A = good();
    A.*member = value;
    return A;
  }

 private:
  HostBatch<float> original_ = make_items<float>(square(4, 3), Uplo::Lower);
  std::optional<Queue> queue_;
  std::optional<OnDevice<float>> operand_;
  DeviceArray<std::int32_t> info_;
};

using View = MatrixView<float>;

TEST_P(PotrfArguments, ShapesMustFit) {
  EXPECT_EQ(message(with(&View::rows, -1)), "potrf: A.rows is -1, expected at least 0");
  EXPECT_EQ(message(with(&View::cols, -5)), "potrf: A.cols is -5, expected at least 0");
  EXPECT_EQ(message(with(&View::batch, -2)), "potrf: A.batch is -2, expected at least 0");
  EXPECT_EQ(message(with(&View::ld, 3)), "potrf: A.ld is 3, expected at least A.rows = 4");
  EXPECT_EQ(message(with(&View::ld, -2)), "potrf: A.ld is -2, expected at least A.rows = 4");
  EXPECT_EQ(message(with(&View::stride, -2)), "potrf: A.stride is -2, expected at least 0");
  EXPECT_EQ(message(with(&View::cols, 3)), "potrf: A is 4 x 3, expected a square matrix");
  EXPECT_EQ(message(with(&View::rows, 0)), "potrf: A is 0 x 4, expected a square matrix");
}

TEST_P(PotrfArguments, ItemsMustNotOverlap) {
  const std::string expected = ", expected at least 16, since items that overlap cannot be written";
  EXPECT_EQ(message(with(&View::stride, 15)), "potrf: A.stride is 15" + expected);
  EXPECT_EQ(message(with(&View::stride, 0)), "potrf: A.stride is 0" + expected);
  // Without a second item there is nothing to overlap.
  View one = with(&View::stride, 0);
  one.batch = 1;
  EXPECT_NO_THROW(potrf_buffer_size(queue(), one));
}

TEST_P(PotrfArguments, SizesMustFitIn63Bits) {
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  const std::string expected =
      "potrf: A is larger than 2^63 bytes, expected at most 9223372036854775807 bytes";
  EXPECT_EQ(message(with(&View::ld, huge)), expected);
  EXPECT_EQ(message(with(&View::stride, huge)), expected);
  EXPECT_EQ(message(with(&View::batch, huge)), expected);
}

TEST_P(PotrfArguments, AddressesMustBeOfElements) {
  EXPECT_EQ(message(with(&View::data, nullptr)),
            "potrf: A.data is null, expected the address of the first element");
  auto* const odd = reinterpret_cast<float*>(reinterpret_cast<char*>(good().data) + 2);
  EXPECT_EQ(message(with(&View::data, odd)),
            "potrf: A.data is misaligned, expected an address aligned to its elements");
}

// C++ aligns a complex double to 8 bytes, and GPU kernels load it as a vector of 16.
TEST_P(PotrfArguments, AGpuNeedsAWholeComplexDoubleAligned) {
  const DeviceArray<double> memory(queue().device(), 3);
  copy(queue(), memory.span(), std::vector<double>{0, 4, 0});
  auto* const between = reinterpret_cast<std::complex<double>*>(memory.data() + 1);
  const std::string text = refused(
      [&] { potrf(queue(), MatrixView<std::complex<double>>{.data = between, .rows = 1, .cols = 1}); });
  const bool gpu = GetParam().kind != DeviceKind::Cpu;
  EXPECT_EQ(text, gpu ? "potrf: A.data is misaligned, expected an address aligned to its elements" : "");
  std::vector<double> after(3);
  copy(queue(), std::span(after), memory.span());
  queue().wait();
  EXPECT_EQ(after[1], gpu ? 4 : 2);
}

TEST_P(PotrfArguments, InfoHasOneValueAnItem) {
  EXPECT_EQ(message(good(), {.info = info(2)}), "potrf: info.size() is 2, expected 0 or batch = 3");
  EXPECT_EQ(message(good(), {.info = info(4)}), "potrf: info.size() is 4, expected 0 or batch = 3");
  EXPECT_EQ(message(with(&View::batch, 0), {.info = info(4)}),
            "potrf: info.size() is 4, expected 0 or batch = 0");
}

TEST_P(PotrfArguments, UploMustBeOne) {
  EXPECT_EQ(message(good(), {.uplo = static_cast<Uplo>(7)}),
            "potrf: uplo is 7, expected Uplo::Lower = 0 or Uplo::Upper = 1");
}

// Nothing is looked at that an empty problem does not need.
TEST_P(PotrfArguments, EmptyProblemsDoNothing) {
  const PotrfOptions bad_uplo{.uplo = static_cast<Uplo>(7)};
  for (const View& A : {View{}, View{.batch = 3}, View{.rows = 4, .cols = 4, .batch = 0},
                        with(&View::batch, 0), View{.ld = 5, .stride = 0, .batch = 1000}}) {
    EXPECT_EQ(message(A), "");
    EXPECT_EQ(message(A, bad_uplo), "");
    EXPECT_EQ(potrf_buffer_size(queue(), A), 0u);
    EXPECT_TRUE(potrf(queue(), A).query());
  }
  EXPECT_EQ(message(View{.batch = 3}, {.info = info(3)}), "");
  const StrictPin pin("potrf", "no such candidate");
  EXPECT_EQ(message(View{}), "");
}

TEST_P(PotrfArguments, PinsMustNameACandidate) {
  const StrictPin pin("potrf", "turbo");
  const std::string text = message(good());
  for (const char* part : {"potrf", "turbo", "tiny, lanes, lpanel:panel=32", "auto, native, vendor"})
    EXPECT_NE(text.find(part), text.npos) << text;
}

TEST_P(PotrfArguments, AnErrorInOneCallLeavesTheNextAlone) {
  EXPECT_NE(message(with(&View::ld, 3)), "");
  HostBatch<float> original = make_items<float>(square(4, 3), Uplo::Lower), result = original;
  const OnDevice<float> A(queue(), original);
  potrf(queue(), A.view()).wait();
  A.read_back(result);
  EXPECT_TRUE(verify::check_potrf(original.view(), result.view(), Uplo::Lower).ok());
}

TEST_P(PotrfArguments, AGpuCannotReachHostMemory) {
  if (GetParam().kind != DeviceKind::Cuda) GTEST_SKIP() << "the CPU reaches all memory";
  const std::string expected =
      " is host memory, expected memory that " + queue().device().facts().name + " can reach";
  std::vector<float> data(48);
  std::vector<float*> pointers = {data.data(), data.data() + 16, data.data() + 32};
  std::vector<std::int64_t> extents = {4, 4, 4};
  Info host_info(3);
  EXPECT_EQ(message(with(&View::data, data.data())), "potrf: A.data" + expected);
  EXPECT_EQ(message(with(&View::pointers, pointers.data())), "potrf: A.pointers" + expected);
  EXPECT_EQ(message(with(&View::item_rows, extents.data())), "potrf: A.item_rows" + expected);
  EXPECT_EQ(message(with(&View::item_cols, extents.data())), "potrf: A.item_cols" + expected);
  EXPECT_EQ(message(good(), {.info = host_info}), "potrf: info" + expected);
  alignas(256) std::byte memory[4096];
  const StrictPin pin("potrf", "blocked:nb=64");
  EXPECT_EQ(refused([&] { potrf(queue(), good(), {}, memory); }), "potrf: workspace" + expected);
}

std::string target_name(const ::testing::TestParamInfo<Target>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(On, PotrfArguments, ::testing::Values(cpu, host, cuda), target_name);

}  // namespace
}  // namespace batchlas::ops_tests
