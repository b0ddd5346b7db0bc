// Errors about the caller's input. The location is data, so code with more context can replace it.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace refscore {

// Unknown parts are empty.
struct Location {
    std::string side;  // "hypotheses", "references", or the name of a column
    std::optional<size_t> segment = std::nullopt;
    std::optional<size_t> reference = std::nullopt;
    std::optional<size_t> token = std::nullopt;
};

// Thrown for input that cannot be scored. The problem is phrased to follow the location, for example "is null".
class InputError : public std::exception {
  public:
    InputError(std::optional<Location> location, std::string problem, std::string fix = "")
        : location_(std::move(location)), problem_(std::move(problem)), fix_(std::move(fix)) {}

    const char* what() const noexcept override { return problem_.c_str(); }
    const std::optional<Location>& location() const { return location_; }
    const std::string& problem() const { return problem_; }
    const std::string& fix() const { return fix_; }

  protected:
    std::optional<Location> location_;

  private:
    std::string problem_;
    std::string fix_;
};

}  // namespace refscore
