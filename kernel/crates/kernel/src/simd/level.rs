//! What the processor has, found at run time, and tasks that are compiled for each of it.

use super::Vector;
use super::bytes16::Bytes16;
use super::pair::Pair;

/// A task over vectors of 64 bytes.
pub trait Task {
    type Output;

    /// Has to be inlined always: only then is it compiled for what the processor has.
    fn run<V: Vector>(self) -> Self::Output;
}

/// Instructions that this processor has.
#[derive(Clone, Copy, Debug)]
pub struct Level(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Vectors of 16 bytes, part of the architecture.
    Sixteen,
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    Avx2,
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    Avx512,
}

impl Level {
    /// The levels of this processor, the widest first.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.into_iter().filter(|kind| kind.is_here()).map(Self)
    }

    pub fn widest() -> Self {
        Self::all().next().unwrap_or(Self(Kind::Sixteen))
    }

    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Kind::Sixteen => task.run::<Pair<Pair<Bytes16>>>(),
            // SAFETY of both: a level is made only if the processor has it.
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Kind::Avx2 => unsafe { super::avx2::run(task) },
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Kind::Avx512 => unsafe { super::avx512::run(task) },
        }
    }
}

#[cfg(any(miri, not(target_arch = "x86_64")))]
const KINDS: [Kind; 1] = [Kind::Sixteen];
#[cfg(all(not(miri), target_arch = "x86_64"))]
const KINDS: [Kind; 3] = [Kind::Avx512, Kind::Avx2, Kind::Sixteen];

impl Kind {
    fn is_here(self) -> bool {
        match self {
            Self::Sixteen => true,
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Self::Avx2 => super::avx2::is_here(),
            #[cfg(all(not(miri), target_arch = "x86_64"))]
            Self::Avx512 => super::avx512::is_here(),
        }
    }
}
