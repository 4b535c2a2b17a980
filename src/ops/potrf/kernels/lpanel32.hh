// Left-looking Cholesky over panels of 32 columns, one item a work-group: `lpanel:panel=32`, n <= 512.
//
// A panel is A's columns less the product of all older ones (Golub and Van Loan, Matrix Computations, 4.2.8).
// It lives in local memory; while it is computed it is a row of register tiles, one a sub-group. Older panels
// stream from global memory through a ring of 8-column chunks; the newest is multiplied where it lies. The
// diagonal block is a serial chain of 32 roots, so one sub-group factors it while the others already multiply
// older columns into the next panel (look-ahead).
//
// split=0: the last sub-group factors, the first one feeds the ring between its products. split=1: an extra
// sub-group does both, and where fewer tiles are left than sub-groups, two or four of them share a tile's
// columns; worth it where the first sub-group's own tile is the critical path.
//
// Where columns of A are 16-byte aligned the ring is fed by bulk copies; else, and for upper triangles, every
// sub-group copies the rows of its own tile by elements, one chunk ahead. Both give the same bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/group.hh"
#include "device/scalar.hh"
#include "ops/potrf/kernels/families.hh"
#include "ops/potrf/kernels/lpanel_layout.hh"
#include "tile/cholesky_block.hh"
#include "tile/lower_view.hh"
#include "tile/pack.hh"
#include "tile/product.hh"
#include "tile/ring.hh"

namespace batchlas::inline v0::potrf_kernels {

/// The register tile of a sub-group, 32 to 128 words of sums a lane. Matrix instructions beat fused
/// multiply-adds by 20 to 40 % for double.
template <class T, int Rows>
using WideTile = std::conditional_t<std::is_same_v<device::KernelReal<device::KernelScalar<T>>, double>,
                                    tile::MmaTile<device::KernelScalar<T>, Rows / 16>,
                                    tile::FmaTile<device::KernelScalar<T>, Rows / 8, 8, 2>>;

template <class T, int Rows, class Group>
class WidePanels {
 public:
  using E = device::KernelScalar<T>;
  using R = device::KernelReal<E>;
  using Tile = WideTile<T, Rows>;
  static constexpr int width = WideLayout<T>::panel;
  static constexpr int chunk = lpanel_chunk;

  BATCHLAS_DEVICE_FN WidePanels(const Group& group, const Args<T>& arguments, const tile::LowerView<E>& item,
                                int order, const WideLayout<T>& sizes, int split_columns)
      : g(group),
        args(arguments),
        A(item),
        n(order),
        layout(sizes),
        split(split_columns),
        wide(item.has_wide_columns()),
        // The shuffle shows the compiler that the sub-group's lanes agree on it.
        me(group.sub_group().shuffle(group.sub_group().index(), 0)),
        panel(group.template local<E>(0)),
        inverse(group.template local<R>(sizes.inverse)),
        ring{group.template local<E>(sizes.ring), group.template local<device::LocalBarrier>(sizes.barriers),
             chunk * sizes.pitch, sizes.log2_stages} {}

  /// Factors the item and sets its info.
  BATCHLAS_DEVICE_FN void factor() {
    const auto sg = g.sub_group();
    if (g.rank() == 0) ring.init(g, layout.row_sub_groups);
    if (args.info && factors() && sg.lane() == 0) args.info[g.index()] = 0;
    load_first_panel();
    BATCHLAS_NO_UNROLL
    for (int left = 0;; left += width) {
      const int next = left + width;
      const bool last = next >= n;
      const auto roles = roles_at(next);
      if (!last && feeds_bulk()) feed_bulk(left, left / chunk, ring.stages());
      if (factors()) {
        const int columns = last ? n - left : width;
        const int bad = tile::factor_block(sg, panel, pitch(), columns, inverse);
        // In memory: a register for the first failure would be one too many.
        if (bad > 0 && args.info && sg.lane() == 0 && args.info[g.index()] == 0)
          args.info[g.index()] = left + bad;
      }
      if (last) {
        if (factors()) store_panel(left, 0, 1);
        return;
      }
      if (split && feeds_bulk()) feed_bulk(left, left / chunk, left / chunk);

      Tile tile;
      begin_tile(tile, next, roles);
      // One loop for the older chunks and the newest panel's: with a product each, the kernel leaves the
      // instruction cache, half of the product's stalls for float 128.
      const int chunks = left / chunk;
      bool solved = false;
      int s = roles.multiplies ? roles.part : chunks;
      BATCHLAS_NO_UNROLL
      for (;;) {
        const E* columns;
        if (!solved && s < chunks) {
          columns = older_chunk(left, s, roles);
        } else {
          if (!solved) {
            solve_panel(left, roles);
            if (!roles.multiplies) break;
            solved = true;
            s = roles.part;
          }
          if (s >= width / chunk) break;
          columns = panel + width + s * chunk * pitch();
        }
        subtract(tile, columns, next, roles.tile * Rows);
        if (!solved) release_chunk(left, s, roles);
        s += roles.parts;
      }
      BATCHLAS_NO_UNROLL
      for (int part = 0; part < roles.parts; ++part) {
        g.barrier();
        if (roles.multiplies && roles.part == part) add_to_panel(tile, next, roles.tile * Rows, part == 0);
      }
      g.bulk_fence();  // this panel's stores, before bulk copies that read them
      g.barrier();
    }
  }

  BATCHLAS_DEVICE_FN bool factors() const { return me == g.size() / g.sub_group().size() - 1; }

 private:
  /// Opaque, or the compiler keeps every phase's addresses in registers during all others, and spills.
  BATCHLAS_DEVICE_FN int pitch() const {
    int elements = layout.pitch;
    device::opaque(elements);
    return elements;
  }
  BATCHLAS_DEVICE_FN int lane() const {
    int number = g.sub_group().lane();
    device::opaque(number);
    return number;
  }

  BATCHLAS_DEVICE_FN bool feeds_bulk() const { return wide && (split ? factors() : me == 0); }

  /// Roles for the panel that begins at column `left`.
  BATCHLAS_DEVICE_FN WideRoles roles_at(int left) const {
    return WideRoles::of(layout, Rows, (n + width - 1) / width * width - left, me, split);
  }

  BATCHLAS_DEVICE_FN void load_first_panel() {
    const auto sg = g.sub_group();
    if (wide && n > width) {
      // A last access that passes row n - 1 stays before the next column, which the item has.
      BATCHLAS_NO_UNROLL
      for (int c = me; c < width; c += g.size() / sg.size()) {
        BATCHLAS_NO_UNROLL
        for (int r = sg.lane() * tile::pack_size<E>; r < n; r += sg.size() * tile::pack_size<E>)
          g.template copy_async<16>(panel + c * layout.pitch + r, A.at(r, c));
      }
    } else {
      copy_first_elements();
    }
    g.copy_commit();
    g.template copy_wait<0>();
    g.barrier();
  }

  BATCHLAS_DEVICE_FN void copy_first_elements() {
    const auto sg = g.sub_group();
    const int blocks = (n + sg.size() - 1) / sg.size() * (width / tile::block_columns);
    BATCHLAS_NO_UNROLL
    for (int block = me; block < blocks; block += g.size() / sg.size()) {
      const int top = block / (width / tile::block_columns) * sg.size();
      const int first = block % (width / tile::block_columns) * tile::block_columns;
      const int column = pitch();
      E* to = panel + first * column + top;
      tile::for_block(sg, A.upper, [&](int r, int c) {
        if (top + r < n && first + c < n)
          g.template copy_async<sizeof(E)>(to + c * column + r, A.at(top + r, first + c));
      });
    }
  }

  /// Turn in the ring of the first chunk that follows the panel at `left`: each panel takes all chunks left
  /// of it.
  BATCHLAS_DEVICE_FN static unsigned first_turn(int left) {
    const unsigned panels = static_cast<unsigned>(left) / width;
    return width / chunk * (panels * (panels - 1) / 2);
  }

  // The feeds below serve the panel after the one at `left`, from column `fed` * 8 on.

  /// Feeds chunks up to `limit` of the `chunks` that may be read by now.
  BATCHLAS_DEVICE_FN void feed_bulk(int left, int chunks, int limit) {
    const auto sg = g.sub_group();
    const int top = left + width;
    const int rows = (n - top + tile::pack_size<E> - 1) / tile::pack_size<E> * tile::pack_size<E>;
    const int bytes = rows * static_cast<int>(sizeof(E));
    BATCHLAS_NO_UNROLL
    for (; fed < limit && fed < chunks; ++fed) {
      const unsigned turn = first_turn(left) + static_cast<unsigned>(fed);
      ring.wait_free(g, turn);
      if (sg.lane() == 0) g.arrive_expect(ring.full(turn), bytes * chunk);
      sg.barrier();
      if (sg.lane() < chunk)
        g.bulk_copy(ring.chunk(turn) + sg.lane() * pitch(), A.at(top, fed * chunk + sg.lane()), bytes,
                    ring.full(turn));
    }
  }

  /// Feeds this sub-group's rows of chunk `fed`. The leader feeds what is everyone's right operand, so it
  /// alone must wait for the others; the rest of a chunk has but one reader, who is here.
  BATCHLAS_DEVICE_FN void feed_rows(int left, const WideRoles& roles) {
    constexpr int shared = Rows < width ? width : Rows;
    const auto sg = g.sub_group();
    const int top = left + width;
    const unsigned turn = first_turn(left) + static_cast<unsigned>(fed);
    if (roles.tile == 0) ring.wait_free(g, turn);
    E* to = ring.chunk(turn);
    const int column = pitch(), end = roles.tile == 0 ? shared : (roles.tile + 1) * Rows;
    const int first = roles.tile == 0 ? 0 : roles.tile * Rows < shared ? shared : roles.tile * Rows;
    BATCHLAS_NO_UNROLL
    for (int block = first; block < end && block < n - top; block += sg.size()) {
      tile::for_block(sg, A.upper, [&](int r, int c) {
        r += block;
        if (r < end && r < n - top)
          g.template copy_async<sizeof(E)>(to + c * column + r, A.at(top + r, fed * chunk + c));
      });
    }
    g.copy_commit();
    fed += roles.parts;
  }

  /// Begins to feed what follows the next panel, with the columns whose stores every work-item has seen.
  BATCHLAS_DEVICE_FN void feed_next_panel(int left, const WideRoles& roles) {
    fed = wide ? 0 : roles.part;
    if (feeds_bulk() && left + 2 * width < n) feed_bulk(left + width, left / chunk, ring.stages());
    if (!wide && roles.multiplies && fed < left / chunk) feed_rows(left + width, roles);
  }

  /// Sets C, the panel at `left` before anything is subtracted, of which the first part has A's columns.
  BATCHLAS_DEVICE_FN void begin_tile(Tile& tile, int left, const WideRoles& roles) const {
    if (!roles.multiplies) return;
    if (roles.part == 0) {
      load_tile(tile, left, roles.tile * Rows);
    } else {
      tile.clear();
    }
  }

  /// Waits for chunk s of the columns that serve the panel after the one at `left`.
  BATCHLAS_DEVICE_FN const E* older_chunk(int left, int s, const WideRoles& roles) {
    const int chunks = left / chunk;
    const auto sg = g.sub_group();
    // Copies by elements run one chunk ahead where each part has two buffers.
    const int ahead = ring.stages() >= 2 * roles.parts ? roles.parts : 0;
    const unsigned turn = first_turn(left) + static_cast<unsigned>(s);
    if (!wide) {
      while (fed <= s + ahead && fed < chunks) feed_rows(left, roles);
      if (fed > s + roles.parts) {
        g.template copy_wait<1>();
      } else {
        g.template copy_wait<0>();
      }
      sg.barrier();
      if (roles.tile == 0 && sg.lane() == 0) g.arrive(ring.full(turn), 1);
    }
    ring.wait_full(g, turn);
    return ring.chunk(turn);
  }

  BATCHLAS_DEVICE_FN void release_chunk(int left, int s, const WideRoles& roles) {
    const auto sg = g.sub_group();
    sg.barrier();
    if (sg.lane() == 0)
      ring.release(g, first_turn(left) + static_cast<unsigned>(s),
                   roles.tile == 0 ? 1 + layout.row_sub_groups - roles.active : 1);
    // Its buffer at once, although the others may still read it: one chunk later, a ring of two would leave
    // the copy no time to arrive (528 items of double 512: 2.5 ms, not 1.9).
    if (!split && feeds_bulk()) feed_bulk(left, left / chunk, s + 1 + ring.stages());
  }

  /// Solves the panel at `left` once its diagonal block is factored, and stores it.
  BATCHLAS_DEVICE_FN void solve_panel(int left, const WideRoles& roles) {
    const auto sg = g.sub_group();
    g.barrier();
    BATCHLAS_NO_UNROLL
    for (int r = width + g.rank(), column = pitch(); r < n - left; r += g.size()) {
      E* to = A.at(left + r, left);
      const auto step = A.ld;
      const bool stores = !A.upper;
      tile::solve_row(panel, column, width, inverse, r, [&](const E& x) {
        if (stores) {
          *to = x;
          to += step;
        }
      });
    }
    g.barrier();
    feed_next_panel(left, roles_at(left + 2 * width));
    // Sub-groups without a tile store the rest of the panel while the others multiply it.
    const int all = g.size() / sg.size(),
              busy = roles.active * roles.parts < all ? roles.active * roles.parts : 0;
    if (me >= busy) store_panel(left, me - busy, all - busy);
  }

  /// C -= the product of a chunk's rows `first`.. and its leading 32 rows.
  BATCHLAS_DEVICE_FN void subtract(Tile& tile, const E* columns, int top, int first) const {
    if constexpr (Rows > width) {
      if (first + Rows / 2 >= (n + width - 1) / width * width - top) {
        tile.template subtract_product<chunk, true>(g.sub_group(), columns + first, columns, pitch());
        return;
      }
    }
    tile.template subtract_product<chunk, false>(g.sub_group(), columns + first, columns, pitch());
  }

  static BATCHLAS_DEVICE_FN E load_parts(const E* p) {
    if constexpr (sizeof(E) == 16) {
      const R* q = &p->re;
      E x;
      x.re = q[0];
      device::opaque(q);
      x.im = q[1];
      return x;
    } else
      return *p;
  }
  BATCHLAS_DEVICE_FN void load_tile(Tile& tile, int left, int first) const {
    const int rows = n - left;
    auto corner = A.from(left, left);
    tile.for_each(lane(), [&](int r, int c, auto& elements) {
      r += first;
      device::opaque(corner.data);  // or the compiler computes all addresses first, and spills
      bool whole = false;
      if constexpr (Tile::pack > 1) {
        whole = wide && r + Tile::pack <= rows && c < rows;
        if (whole) elements = tile::load_pack<Tile::pack>(corner.at(r, c));
      }
      if (!whole) {
        BATCHLAS_UNROLL
        for (int i = 0; i < Tile::pack; ++i)
          elements.of[i] = r + i < rows && c < rows ? load_parts(corner.at(r + i, c)) : device::zero<E>();
      }
    });
  }

  BATCHLAS_DEVICE_FN void add_to_panel(Tile& tile, int left, int first, bool set) const {
    const int rows = (n + width - 1) / width * width - left, column = pitch();
    tile.for_each(lane(), [&](int r, int c, auto& elements) {
      r += first;
      if (r >= rows) return;
      if constexpr (sizeof(E) == 16) {
        R* q = &panel->re;
        int o = 2 * (c * column + r);
        q[o] = set ? elements.of[0].re : q[o] + elements.of[0].re;
        device::opaque(o);
        q[o + 1] = set ? elements.of[0].im : q[o + 1] + elements.of[0].im;
      } else {
        E* to = panel + c * column + r;
        tile::store_pack(to, set ? elements : tile::sum(tile::load_pack<Tile::pack>(to), elements));
      }
    });
  }

  /// Writes to A, as sub-group `mine` of `storing`, what solve_panel does not: the diagonal block, and all of
  /// an upper triangle's panel, since there neighbours in A are not those in a sub-group.
  BATCHLAS_DEVICE_FN void store_panel(int left, int mine, int storing) const {
    const auto sg = g.sub_group();
    const int rows = A.upper || n - left < width ? n - left : width, column = pitch();
    const int blocks = (rows + sg.size() - 1) / sg.size() * (width / tile::block_columns);
    BATCHLAS_NO_UNROLL
    for (int block = mine; block < blocks; block += storing) {
      const int top = block / (width / tile::block_columns) * sg.size();
      const int first = block % (width / tile::block_columns) * tile::block_columns;
      tile::store_block(sg, A.from(left + top, left + first), panel + first * column + top, column,
                        rows - top, first - top);
    }
  }

  const Group& g;
  const Args<T>& args;
  const tile::LowerView<E> A;
  const int n;
  const WideLayout<T>& layout;
  const int split;
  const bool wide;
  const int me;
  E* const panel;
  R* const inverse;
  const tile::Ring<E> ring;
  int fed = 0;  ///< the next chunk to feed
};

}  // namespace batchlas::inline v0::potrf_kernels
