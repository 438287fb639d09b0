//! Queries RedisBloom by pipelined commands over a Unix socket.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use crate::Peer;
use crate::rust::text;

/// The maximum number of keys in a command.
const KEYS: usize = 1_000;

/// The maximum number of commands that are sent before their replies are read.
const PIPELINED: usize = 8;

pub(crate) struct Redis {
    stream: BufReader<UnixStream>,
    /// Each entry has the bytes of commands that are sent together, and the number of keys in them.
    requests: Vec<(Vec<u8>, usize)>,
}

impl Redis {
    /// Loads the chunks of a filter into the key `bench` of the database.
    pub(crate) fn load(socket: &str, chunks: &[(u64, Vec<u8>)]) -> Result<Self, Box<dyn Error>> {
        let mut redis = Self {
            stream: BufReader::new(UnixStream::connect(socket)?),
            requests: Vec::new(),
        };
        redis.send(&command(&[b"DEL", b"bench"]))?;
        redis.line()?;
        for (iterator, data) in chunks {
            let iterator = iterator.to_string();
            redis.send(&command(&[
                b"BF.LOADCHUNK",
                b"bench",
                iterator.as_bytes(),
                data,
            ]))?;
            redis.line()?;
        }
        Ok(redis)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        Ok(self.stream.get_mut().write_all(bytes)?)
    }

    /// Reads a line of a reply, and returns it without its first character, which is the type of the reply.
    fn line(&mut self) -> Result<String, Box<dyn Error>> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        match line.trim_end().split_at_checked(1) {
            Some(("-", error)) => Err(error.into()),
            Some((_, value)) => Ok(value.to_owned()),
            None => Err("the server has ended".into()),
        }
    }

    /// Returns the processor time that the server's main thread has used, in nanoseconds.
    fn clock(&mut self) -> Result<f64, Box<dyn Error>> {
        self.send(&command(&[b"INFO", b"cpu"]))?;
        let length: usize = self.line()?.parse()?;
        let mut text = vec![0; length + 2];
        self.stream.read_exact(&mut text)?;
        let text = String::from_utf8(text)?;
        let seconds = text.lines().filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            let main = ["used_cpu_user_main_thread", "used_cpu_sys_main_thread"].contains(&name);
            main.then(|| value.parse::<f64>().ok())?
        });
        Ok(seconds.sum::<f64>() * 1e9)
    }
}

impl Peer for Redis {
    fn keys(&mut self, keys: &[i64]) -> Result<(), Box<dyn Error>> {
        let texts: Vec<[u8; 16]> = keys.iter().copied().map(text).collect();
        let pipelined = texts.chunks(KEYS * PIPELINED).map(|part| {
            let commands = part.chunks(KEYS).flat_map(|keys| {
                let start = [b"BF.MEXISTS".as_slice(), b"bench"].into_iter();
                command(
                    &start
                        .chain(keys.iter().map(|key| &key[..]))
                        .collect::<Vec<_>>(),
                )
            });
            (commands.collect(), part.len())
        });
        self.requests = pipelined.collect();
        Ok(())
    }

    fn run(&mut self) -> Result<(usize, f64), Box<dyn Error>> {
        let requests = std::mem::take(&mut self.requests);
        let start = self.clock()?;
        let mut found = 0;
        for (commands, keys) in &requests {
            self.send(commands)?;
            for _ in 0..keys.div_ceil(KEYS) {
                let answers: usize = self.line()?.parse()?;
                for _ in 0..answers {
                    found += usize::from(self.line()? == "1");
                }
            }
        }
        let time = self.clock()? - start;
        self.requests = requests;
        Ok((found, time))
    }
}

/// Returns a command in the protocol of Redis.
fn command(words: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        bytes.extend(format!("${}\r\n", word.len()).bytes());
        bytes.extend_from_slice(word);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}
