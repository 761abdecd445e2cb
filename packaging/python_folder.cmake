file(GLOB folders "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/python/usr/lib/python3.*")
foreach(folder IN LISTS folders)
  file(RENAME "${folder}" "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/python/usr/lib/python3")
endforeach()
