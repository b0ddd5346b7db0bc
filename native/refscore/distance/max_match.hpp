// M², the MaxMatch scorer of grammatical error correction: the edits of a hypothesis that agree best with an
// annotator's.
//
// All optimal alignments of the source with the hypothesis form a lattice, for two costs of substitutions. Neighbouring
// edits may be merged, with a few unchanged words between them. Of all paths, the one with the most edits of the
// annotator counts. The lattice, the order of its arcs and the weights are those of m2scorer, because they decide
// between equal paths.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "refscore/base/preconditions.hpp"

namespace refscore {

struct MaxMatchSettings {
    size_t max_unchanged = 2;  // the most unchanged words within an edit
    double beta = 0.5;

    void check() const {
        require(max_unchanged <= 255, "an edit has at most 255 unchanged words");
        require(beta >= 0, "beta must be at least 0");
    }
};

// A row of statistics; rows can be summed.
struct MaxMatchRow {
    static constexpr size_t kColumns = 3;
    int64_t correct = 0;
    int64_t proposed = 0;
    int64_t gold = 0;

    // Each is 1 without edits, like the F-score without any.
    double precision() const { return proposed > 0 ? static_cast<double>(correct) / static_cast<double>(proposed) : 1; }
    double recall() const { return gold > 0 ? static_cast<double>(correct) / static_cast<double>(gold) : 1; }
};
double max_match_value(double beta, double correct, double proposed, double gold);

// An annotator's edit. It replaces the words from `begin` to `end` of the source by one of the corrections.
struct GoldEdit {
    size_t begin;
    size_t end;
    std::vector<std::string_view> corrections;
};

// Whether a reference is a list of edits and not a corrected text.
inline bool has_gold_edits(std::string_view text) { return text.find("|||") != text.npos; }

// Reads edits as M² files have them ("A 1 2|||Prep|||of|||REQUIRED|||-NONE-|||0"), one after the other, without those
// that stand for no edit. Returns false for anything else.
bool read_gold_edits(std::string_view text, std::vector<GoldEdit>& edits);

// One instance per thread.
class MaxMatch {
  public:
    // A lattice of more vertices is refused: it would take too much memory. Texts of 50 different words have so many.
    static constexpr size_t kMostVertices = 2601;

    // Builds the lattice of a source and a hypothesis. Returns false if it is too large.
    bool build(const MaxMatchSettings& settings, std::string_view source, std::string_view hypothesis);
    // Returns the counts for an annotator.
    MaxMatchRow count(std::span<const GoldEdit> gold);

    // An edit on the best path of the last count(): words of the source and of the hypothesis.
    struct FoundEdit {
        size_t begin, end, hypothesis_begin, hypothesis_end;
        bool is_correct;
    };
    std::span<const FoundEdit> edits() const { return found_; }
    // The edits of count() as edits of an annotator who wrote the hypothesis.
    void annotate(std::vector<GoldEdit>& gold, std::vector<std::string>& corrections) const;

  private:
    struct Vertex {
        uint32_t source, hypothesis;
    };
    struct Arc {
        uint32_t from, to;
        uint32_t length;     // the fewest edits and unchanged words along it
        uint32_t unchanged;  // words
        bool is_noop;
    };
    static constexpr double kEpsilon = 0.001;  // m2scorer's penalty of an edit that is not the annotator's

    void mark_optimal();
    void number_vertices();
    void add_unit_arcs();
    void merge_arcs(size_t max_unchanged);
    void drop_unchanged_arcs();
    void group_arcs();
    void weigh(std::span<const GoldEdit> gold);
    void weigh_insertions(std::span<const uint32_t> arcs, std::span<const GoldEdit> gold,
                          std::span<const uint32_t> matching);
    bool is_gold(const Arc& arc, const GoldEdit& gold) const;
    void find_path();
    uint32_t& arc_at(uint32_t from, uint32_t to) { return table_[size_t{from} * vertices_.size() + to]; }

    std::vector<std::string_view> source_, hypothesis_;
    std::vector<uint32_t> source_numbers_, hypothesis_numbers_;
    std::unordered_map<std::string_view, uint32_t> numbers_;
    std::vector<uint32_t> costs_;
    std::vector<uint8_t> marks_;  // by cell: the lattices that have it, and the steps that lead to it
    std::vector<uint32_t> vertex_of_;
    std::vector<Vertex> vertices_;
    std::vector<Arc> arcs_;
    std::vector<uint32_t> table_;  // by two vertices: the number of their arc, from 1
    std::vector<uint32_t> order_;  // arcs in m2scorer's order, some of them twice
    std::vector<std::vector<uint32_t>> into_, out_of_;
    std::vector<std::pair<uint64_t, uint32_t>> keys_;
    std::vector<uint32_t> grouped_;  // the same, by the words of the source that they replace
    std::vector<uint8_t> is_dropped_;
    std::vector<double> weights_, distances_;
    std::vector<uint32_t> last_;  // by vertex: the last arc of the best path to it, from 1
    std::vector<FoundEdit> found_;
};

}  // namespace refscore
