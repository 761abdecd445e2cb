#include "proofs/provers.hpp"
