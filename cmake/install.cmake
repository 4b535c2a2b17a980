# The install tree: shared library, public headers, command line tool, and what find_package(BatchLAS) needs.
# Included by the root after the target `batchlas`; everything that it links is private, so a consumer needs nothing else.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(batchlas_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/BatchLAS)

set_target_properties(batchlas PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION})  # no ABI promise
install(TARGETS batchlas EXPORT BatchLASTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/batchlas DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT BatchLASTargets NAMESPACE BatchLAS:: DESTINATION ${batchlas_config_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/BatchLASConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/BatchLASConfig.cmake INSTALL_DESTINATION ${batchlas_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/BatchLASConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/BatchLASConfig.cmake ${PROJECT_BINARY_DIR}/BatchLASConfigVersion.cmake
        DESTINATION ${batchlas_config_dir})

# The same name in the build tree, for examples that are written as a consumer's.
if(NOT TARGET BatchLAS::batchlas)
  add_library(BatchLAS::batchlas ALIAS batchlas)
endif()
