//! Puts a finished picture where it is wanted: a file, whole or not at all, or standard output.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::{fmt, process};

/// The kinds of picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Scalable, with texts that stay texts.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Png];

    /// Returns the name, which is the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Returns the kind with this name, in either case.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| name.eq_ignore_ascii_case(format.name()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a picture goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl Target {
    /// Returns the file with this name, or standard output for `-`.
    pub fn new(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            return Self::Stdout;
        }
        Self::File(path.to_owned())
    }

    /// Returns the path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }

    /// Returns whether both are one place, however it is written.
    pub fn is_same_place(&self, other: &Self) -> bool {
        let place = |target: &Self| {
            let path = target.path()?;
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(folder.join(path.file_name()?))
        };
        self == other || place(self).is_some_and(|one| place(other) == Some(one))
    }

    /// Finds out what can be known to go wrong before there is a picture.
    ///
    /// # Errors
    ///
    /// When the target is a folder, or to be in a folder that is not there.
    pub fn check(&self) -> io::Result<()> {
        let Self::File(path) = self else {
            return Ok(());
        };
        if path.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => fs::metadata(folder).map(drop),
            _ => Ok(()),
        }
    }

    /// Writes a whole picture.
    ///
    /// A file is written under another name beside its own and then takes its place, so that there
    /// is never half a picture. What is no regular file, such as a pipe with a name, is written
    /// to. A reader of standard output that wants no more is no error.
    ///
    /// # Errors
    ///
    /// When the system refuses; nothing is left behind then.
    pub fn write(&self, picture: &[u8]) -> io::Result<()> {
        match self {
            Self::Stdout => {
                let mut out = io::stdout().lock();
                match out.write_all(picture).and_then(|()| out.flush()) {
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                    result => result,
                }
            }
            Self::File(path) => write_file(path, picture),
        }
    }
}

fn write_file(path: &Path, picture: &[u8]) -> io::Result<()> {
    // A link stays one: what it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let permissions = match fs::metadata(&target) {
        Ok(there) if !there.is_file() => return fs::write(&target, picture),
        Ok(there) if there.permissions().readonly() => {
            return Err(ErrorKind::PermissionDenied.into());
        }
        Ok(there) => Some(there.permissions()),
        Err(_) => None,
    };
    let beside = target.with_file_name(format!(".bloom-plot-{}.tmp", process::id()));
    let written = write_new(&beside, picture)
        .and_then(|()| permissions.map_or(Ok(()), |kept| fs::set_permissions(&beside, kept)))
        .and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // Already an error; that the rest cannot be removed either is not the news.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_new(path: &Path, picture: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(picture)
}
