# `cpack` in the build folder writes a Debian package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME attest)
set(CPACK_PACKAGE_VENDOR "attest developers")
set(CPACK_PACKAGE_CONTACT "attest developers <attest@localhost.localdomain>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact proofs about the memorization capacity of attention layers")
set(CPACK_PACKAGE_DESCRIPTION "attest computes, in exact arithmetic, what multi-head attention layers can
memorize: ranks, capacities and the hypotheses and conclusions of the theorems
about them, for your own data and weights. Every verdict has a certificate,
which the independent program attest-check validates.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-attest")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL attest)
set(CPACK_DEBIAN_ATTEST_PACKAGE_NAME attest)
set(CPACK_COMPONENT_ATTEST_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
if(TARGET attest_library)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-attest)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy, python3-jinja2")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Python module of attest: exact proofs about attention layers
Ranks and capacities of attention layers, in exact arithmetic and with
certificates, of arrays of numpy and tensors of torch.")
  install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-attest COMPONENT python)
  install(FILES ${PROJECT_BINARY_DIR}/manual/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-attest COMPONENT python OPTIONAL)
endif()
include(CPack)
