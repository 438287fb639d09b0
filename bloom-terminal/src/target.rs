//! Writes the output of a command to a file, atomically, or to standard output.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::report::unless_closed;

/// The destination of a command's output.
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

    /// Returns the path, if the target is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }

    /// Returns whether both targets are standard output or both are the same file, even under different paths. Links to files
    /// that exist are followed.
    pub fn is_same_place(&self, other: &Self) -> bool {
        let place = |target: &Self| {
            let path = target.path()?;
            if let Ok(file) = fs::canonicalize(path) {
                return Some(file);
            }
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(folder.join(path.file_name()?))
        };
        self == other || place(self).is_some_and(|one| place(other) == Some(one))
    }

    /// Detects errors of the target before the command makes its output.
    ///
    /// # Errors
    ///
    /// When the path is a folder, or when its parent folder does not exist or cannot be looked up.
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

    /// Returns the message for an error that [`check`](Self::check) or a write has returned.
    pub fn unwritten(&self, error: &io::Error) -> String {
        let place = match self {
            Self::Stdout => "to standard output".to_owned(),
            Self::File(path) => path.display().to_string(),
        };
        format!("cannot write {place}: {error}")
    }

    /// Writes all bytes.
    ///
    /// A file is written under a temporary name in the folder of the target and then renamed, so that no
    /// partial file can appear under the target's name. A target that is not a regular file, such as a named pipe, is
    /// written to directly. A reader that closes standard output early is not an error.
    ///
    /// # Errors
    ///
    /// When the target exists and is read-only, or when the operating system reports an error. After an
    /// error, the temporary file is removed.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.write_with(|out| out.write_all(bytes))
    }

    /// Calls `fill` with a stream to the target. What `fill` writes to the stream is not collected in memory. The rules of
    /// [`write`](Self::write) for temporary names and closed pipes apply.
    ///
    /// # Errors
    ///
    /// As for [`write`](Self::write), and any error of `fill`.
    pub fn write_with(
        &self,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Stdout => {
                let mut out = io::stdout().lock();
                unless_closed(fill(&mut out).and_then(|()| out.flush()))
            }
            Self::File(path) => write_file(path, fill),
        }
    }
}

fn write_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = followed(path);
    let permissions = match fs::metadata(&target) {
        Ok(there) if !there.is_file() => return fill(&mut File::create(&target)?),
        Ok(there) if there.permissions().readonly() => {
            return Err(ErrorKind::PermissionDenied.into());
        }
        Ok(there) => Some(there.permissions()),
        Err(_) => None,
    };
    // The name is random and not made from the process id, because ids recur: the id is 1 in every
    // container, and a killed process may have left its temporary file.
    let name = format!(".bloom-{:016x}.tmp", RandomState::new().hash_one(()));
    let beside = target.with_file_name(name);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)
        .and_then(|mut file| fill(&mut file))
        .and_then(|()| permissions.map_or(Ok(()), |kept| fs::set_permissions(&beside, kept)))
        .and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // The error of the write is returned. An error of this removal would tell the user nothing more.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Returns the path to which `path` leads by symbolic links. The output is written there, so that a link remains a link.
fn followed(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    // At most 40 links are followed, as by Linux.
    for _ in 0..40 {
        let Ok(to) = fs::read_link(&target) else {
            break;
        };
        target.pop();
        target.push(to);
    }
    fs::canonicalize(&target).unwrap_or(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_writes_two_files_of_a_folder_at_once() {
        let folder = std::env::temp_dir().join(format!("bloom-terminal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let paths = ["one", "other"].map(|name| folder.join(name));
        let [one, other] = paths.clone().map(Target::File);
        one.write_with(|out| out.write_all(b"1").and_then(|()| other.write(b"2")))
            .unwrap();
        assert_eq!(
            paths.map(|path| fs::read(path).unwrap()),
            [b"1".to_vec(), b"2".to_vec()]
        );
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_remains_a_link_whether_its_target_exists_or_not() {
        let folder = std::env::temp_dir().join(format!("bloom-links-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, link, first] = ["file", "link", "first"].map(|name| folder.join(name));
        std::os::unix::fs::symlink("file", &link).unwrap();
        std::os::unix::fs::symlink("link", &first).unwrap();
        for text in ["1", "2"] {
            Target::File(first.clone()).write(text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert!(first.is_symlink() && link.is_symlink() && !file.is_symlink());
        }
        // Both names lead to the same file, so an output to one would overwrite an output to the other.
        let [file, first] = [file, first].map(Target::File);
        assert!(file.is_same_place(&first) && first.is_same_place(&file));
        fs::remove_dir_all(folder).unwrap();
    }
}
