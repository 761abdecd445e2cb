# attest_embed(TARGET HEADER NAME FILE [NAME FILE]...): a header for TARGET, and for what links it, with the contents of files as
# strings. Style sheets and scripts are files of their own that way, and the program needs none of them.
function(attest_embed target header)
  set(code "// Written by the build.\n#pragma once\n\nnamespace attest {\n\n")
  while(ARGN)
    list(POP_FRONT ARGN name file)
    file(READ ${file} contents)
    string(APPEND code "inline constexpr const char* ${name} = R\"embedded(\n${contents})embedded\";\n\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endwhile()
  # Touched only when it has changed.
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/embedded/${header} CONTENT "${code}}  // namespace attest\n" @ONLY)
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/embedded)
endfunction()
