// Devices: their names, facts, and what is said of those that do not exist.
#include "batchlas/device.hh"

#include <gtest/gtest.h>
#include <omp.h>

#include <stdexcept>

#include "batchlas/status.hh"
#include "device/launch.hh"
#include "device/vendor_hook.hh"

namespace batchlas {
namespace {

std::string error_of(std::string_view text) {
  try {
    Device::parse(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Device, ParsesItsNames) {
  EXPECT_EQ(Device::parse("cpu").kind(), DeviceKind::Cpu);
  EXPECT_EQ(Device::parse("host").kind(), DeviceKind::HostExecutor);
  EXPECT_EQ(Device::parse("host").facts().key, "sm_90");
  EXPECT_EQ(Device::parse("host:sm_89").facts().key, "sm_89");
}

TEST(Device, ParseNamesTheValueAndWhatWasExpected) {
  for (const char* text :
       {"", "gpu", "CPU", "cpu:0", "cuda:", "cuda:x", "cuda:1x", "cuda: 1", "cpu ", "cuda:99999999999"}) {
    const std::string error = error_of(text);
    EXPECT_NE(error.find('"' + std::string(text) + '"'), std::string::npos) << error;
    EXPECT_NE(error.find("expected cpu, cuda, cuda:<ordinal>, host or host:<device key>"), std::string::npos)
        << error;
  }
  for (const char* key : {"sm_91", "", "sm_90 "}) {
    const std::string error = error_of("host:" + std::string(key));
    EXPECT_NE(error.find('"' + std::string(key) + '"'), std::string::npos) << error;
    EXPECT_NE(error.find("sm_80, sm_89, sm_90, sm_120, gfx90a"), std::string::npos) << error;
  }
}

TEST(Device, MissingCudaDeviceIsAnError) {
  const int count = cuda_device_count();
  EXPECT_EQ(Device::all().size(), static_cast<std::size_t>(count) + 1);
  EXPECT_EQ(Device::all().back().kind(), DeviceKind::Cpu);
  EXPECT_EQ(Device::default_device().kind(), count > 0 ? DeviceKind::Cuda : DeviceKind::Cpu);
#if BATCHLAS_HAS_CUDA
  EXPECT_THROW(Device::cuda(count), std::invalid_argument);
  EXPECT_THROW(Device::cuda(-1), std::invalid_argument);
#else
  EXPECT_THROW(Device::cuda(), NoRouteError);
  EXPECT_THROW(Device::parse("cuda:1"), NoRouteError);
#endif
}

TEST(Device, CpuFacts) {
  const DeviceFacts facts = Device::cpu().facts();
  EXPECT_EQ(facts.key, "cpu");
  EXPECT_EQ(facts.family, "cpu");
  EXPECT_FALSE(facts.is_gpu);
  EXPECT_FALSE(facts.name.empty());
  EXPECT_EQ(facts.multiprocessors, omp_get_max_threads());
  EXPECT_TRUE(facts.simd_bytes == 16 || facts.simd_bytes == 32 || facts.simd_bytes == 64);
  EXPECT_GT(facts.memory_bytes, 0);
}

TEST(Device, HostExecutorHasTheFactsOfItsKey) {
  const DeviceFacts facts = Device::host_executor().facts();
  EXPECT_EQ(facts.name, "NVIDIA H200");
  EXPECT_EQ(facts.family, "sm");
  EXPECT_EQ(facts.arch_number, 90);
  EXPECT_TRUE(facts.is_gpu);
  EXPECT_EQ(facts.local_bytes, 232448);
  EXPECT_EQ(facts.multiprocessors, 132);
  EXPECT_EQ(facts.max_work_group, 1024);
  EXPECT_EQ(facts.sub_group_size, 32);
}

TEST(Device, HostExecutorTakesTheWidthOfItsOptions) {
  for (int width : {1, 8, 64}) {
    const Device device = Device::host_executor("sm_90", {LaneOrder::Up, 0, width});
    EXPECT_EQ(device.facts().sub_group_size, width);
    EXPECT_EQ(device.state().host.sub_group_size, width);
  }
  const Device amd = Device::host_executor("gfx90a");
  EXPECT_EQ(amd.facts().sub_group_size, 64);
  EXPECT_EQ(amd.state().host.sub_group_size, 64);
  EXPECT_THROW(Device::host_executor("sm_90", {LaneOrder::Up, 0, 16}), std::invalid_argument);
}

TEST(Device, VendorRoomsRegister) {
  EXPECT_FALSE(Device::cpu().facts().has_vendor);
  detail::register_vendor(DeviceKind::Cpu);
  EXPECT_TRUE(Device::cpu().facts().has_vendor);
  EXPECT_FALSE(Device::host_executor().facts().has_vendor);
}

}  // namespace
}  // namespace batchlas
