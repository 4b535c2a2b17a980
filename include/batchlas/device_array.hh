// Memory on a device, and copies between it and the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "batchlas/export.hh"
#include "batchlas/queue.hh"

namespace batchlas::inline v0 {

namespace detail {
BATCHLAS_API void* allocate(const Device& device, std::size_t bytes);
BATCHLAS_API void deallocate(const Device& device, void* memory) noexcept;
BATCHLAS_API void copy_bytes(Queue& queue, void* to, const void* from, std::size_t bytes);
}  // namespace detail

/// `count` elements of uninitialised device memory, aligned to 256 bytes; freed with the object. On CPU and
/// host executor it is ordinary memory.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() : device_(Device::cpu()) {}
  DeviceArray(const Device& device, std::int64_t count)
      : device_(device), data_(static_cast<T*>(detail::allocate(device, sizeof(T) * count))), count_(count) {}
  DeviceArray(DeviceArray&& other) noexcept : device_(other.device_) { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray() { detail::deallocate(device_, data_); }

  T* data() const { return data_; }
  std::int64_t size() const { return count_; }
  std::span<T> span() const { return {data_, static_cast<std::size_t>(count_)}; }
  operator std::span<T>() const { return span(); }
  const Device& device() const { return device_; }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }
  Device device_;
  T* data_ = nullptr;
  std::int64_t count_ = 0;
};

/// Copies all elements in queue order; either side may be host or device memory. Pageable host memory must
/// stay untouched until the queue has been waited for. Throws std::invalid_argument where the sizes differ.
template <class T>
void copy(Queue& queue, std::span<T> to, std::span<const std::type_identity_t<T>> from) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (to.size() != from.size()) {
    throw std::invalid_argument("copy: `to` has " + std::to_string(to.size()) + " elements, `from` has " +
                                std::to_string(from.size()));
  }
  detail::copy_bytes(queue, to.data(), from.data(), sizeof(T) * from.size());
}

}  // namespace batchlas::inline v0
