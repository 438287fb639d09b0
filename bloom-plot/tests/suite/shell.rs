//! Tests of what `bloom-plot` prints for a shell: a short guide if there are no arguments, the help, completion scripts and
//! manual pages.

use std::fs::OpenOptions;
use std::process::{Output, Stdio};

use bloom_testing::{Need, has};

use crate::common::{command, folder, names, run, stderr};

fn text(output: &Output) -> &str {
    assert!(output.status.success(), "{}", stderr(output));
    assert!(output.stderr.is_empty(), "{}", stderr(output));
    std::str::from_utf8(&output.stdout).unwrap()
}

#[test]
fn without_arguments_the_error_has_a_command_that_works() {
    let folder = folder("nothing");
    let output = run(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said = stderr(&output);
    assert!(said.starts_with("Plots Bloom filters: give a chart, "));
    assert!(said.lines().count() <= 5, "{said}");
    let example = "bloom-plot rate-by-items  ";
    assert!(said.contains(example), "{said}");
    assert!(run(&folder, &["rate-by-items"]).status.success());
    assert_eq!(names(&folder), ["rate-by-items.svg"]);
    // Flags without a chart are an error of clap.
    let output = run(&folder, &["--size", "400x300"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && stderr(&output).contains("requires a subcommand"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_text_that_cannot_be_written_is_an_error_but_a_closed_pipe_is_not() {
    let folder = folder("unwritten");
    for args in [
        &["--help"][..],
        &["-V"],
        &["help", "trust"],
        &["trust", "-h"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(&folder, args).stdout(Stdio::from(full)).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = stderr(&output);
        let expected = "error: cannot write to standard output: ";
        assert!(said.starts_with(expected), "{args:?}: {said}");
        let mut closed = command(&folder, args);
        let closed = closed.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = closed.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
    }
}

#[test]
fn shells_get_their_completions() {
    let folder = folder("completions");
    let script = |shell| {
        let output = run(&folder, &["completions", shell]);
        text(&output).to_owned()
    };
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = script(shell);
        for part in ["bloom-plot", "rate-by-items", "bits-per-item", "measured"] {
            assert!(script.contains(part), "{part} for {shell}");
        }
    }
    let fish = script("fish");
    let of = |command: &str| -> Vec<&str> {
        let of = format!("__fish_bloom_plot_using_subcommand {command}\"");
        fish.lines().filter(|line| line.contains(&of)).collect()
    };
    // Fish completes the names of files only after flags that take a file.
    for line in of("rate-by-bits") {
        let is_file = [" -l output ", " -l csv ", " -l over "];
        let is_file = is_file.iter().any(|flag| line.contains(flag));
        assert_eq!(line.ends_with(" -r -F"), is_file, "{line}");
        let is_switch = [" -l measured ", " -l help ", " -l no-title "];
        let is_switch = is_switch.iter().any(|flag| line.contains(flag));
        assert_eq!(line.contains(" -r"), !is_switch, "{line}");
    }
    // The commands `completions` and `man` refuse the flags of a picture, so these flags are not offered.
    for command in ["completions", "man"] {
        let own = of(command);
        assert!(!own.is_empty(), "{command}");
        let refused = own.iter().find(|line| !line.contains(" -l help "));
        assert_eq!(refused, None, "{command}");
    }
    let bash = script("bash");
    for names in [
        "light dark auto",
        "svg png pdf",
        "classic counting partitioned",
    ] {
        assert!(bash.contains(names), "{names}");
    }
    assert!(script("zsh").contains(":_files'"), "speed takes a file");
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_flags_and_values() {
    if !has(Need::Bash, "the completions of bloom-plot") {
        return;
    }
    let folder = folder("bash");
    let script = run(&folder, &["completions", "bash"]);
    std::fs::write(folder.join("script"), text(&script)).unwrap();
    // Calls the completion function of the script as bash does. The function returns what may follow the words.
    let ask = "source ./script; found=$(complete -p bloom-plot); found=${found#*-F }; \
               function compopt { :; }; COMP_WORDS=(bloom-plot \"$@\"); COMP_CWORD=$#; \
               \"${found%% *}\" bloom-plot \"${@: -1}\" \"${COMP_WORDS[$#-1]}\"; echo \"${COMPREPLY[@]}\"";
    for (words, expected) in [
        (&["rate-b"][..], "rate-by-items rate-by-bits rate-by-hashes"),
        (&["trust", "--th"], "--theme"),
        (&["rate-by-bits", "--bits-p"], "--bits-per-item"),
        (&["scalable-growth", "--show", ""], "rate memory"),
        (&["trust", "--theme", "d"], "dark"),
        (&["man", "sp"], "speed"),
        (&["man", "--o"], ""),
        (&["completions", "z"], "zsh"),
    ] {
        let mut bash = std::process::Command::new("bash");
        let bash = bash
            .args(["-c", ask, "bash"])
            .args(words)
            .current_dir(&folder);
        let output = bash.output().unwrap();
        assert_eq!(text(&output).trim_end(), expected, "{words:?}");
    }
}

#[test]
fn the_program_and_each_command_have_a_manual_page() {
    let folder = folder("man");
    let output = run(&folder, &["man"]);
    let page = text(&output);
    for part in [".TH bloom-plot 1", "bloom\\-plot\\-trust(1)", "\\-\\-theme"] {
        assert!(page.contains(part), "{part}");
    }
    for of in ["rate-by-items", "diagram", "speed", "completions", "man"] {
        let output = run(&folder, &["man", of]);
        assert!(text(&output).contains(&format!(".TH bloom-plot-{of} 1")));
    }
    let output = run(&folder, &["man", "trust"]);
    assert!(text(&output).contains("\\-\\-prevalence") && text(&output).contains("\\-\\-theme"));
    let output = run(&folder, &["man", "completions"]);
    assert!(!text(&output).contains("\\-\\-theme"));
}

#[test]
fn completions_and_manual_pages_take_no_flags_of_a_picture() {
    let folder = folder("no-picture");
    for (args, flag) in [
        (&["completions", "bash", "-o", "x.svg"][..], "output"),
        (&["--size", "400x300", "man"], "size"),
        (&["man", "trust", "--theme", "dark"], "theme"),
    ] {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && names(&folder).is_empty());
        let expected = format!("error: {flag} is for a picture; ");
        assert!(stderr(&output).starts_with(&expected), "{args:?}");
        assert!(stderr(&output).ends_with(&format!("hint: leave --{flag} out\n")));
    }
    for args in [&["completions", "tcsh"][..], &["man", "nothing"]] {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("possible values: "), "{args:?}");
    }
    for of in ["completions", "man"] {
        let output = run(&folder, &[of, "--help"]);
        let help = text(&output);
        assert!(help.contains("\n\nExamples:\n  bloom-plot "), "{help}");
        assert!(!help.contains("--theme"), "{help}");
    }
}
