//! Compares, word for word, steps of the derivations that `--explain` prints with expected texts. The numbers in these texts
//! were computed again from the formulas, by inclusion and exclusion with 80 digits, and agree in every printed digit.

use crate::common::run;
use bloom_testing::{cases, rows};

/// Each case is a question, the title of a step of its derivation, and the lines at the end of that step. If the last line is
/// empty, the lines may be anywhere in the step.
const STEPS: &str = r#"
$ -n 1000 -m 1024 --filter plain-blocked => What is given, and what is asked
  Given: n = 1,000 items and m = 1,024 bits, for a plain-blocked filter with
  blocks of 512 bits.
  Asked: the number of hashes k and the rate p.
  The answer is k = 1. The next steps compute its rate; the last show why it is
  the answer.
$ -m 20000 -k 5 => What is given, and what is asked
  Given: m = 20,000 bits and k = 5 hashes.
  Asked: the items n and the rate p.
$ -m 20000 -k 5 => Half full, by convention
  p is not given. By convention half of the filter is then set, because there a
  bit holds the most information. That takes k n = m ln 2, with ln
  2 = 0.693147, so
  "  n = m ln 2 / k = 20,000 x 0.693147 / 5 = 2,772.5887, rounded down 2,772"
$ -n 1000 -k 5 --filter counting --round 64 => What is given, and what is asked
  Given: n = 1,000 items and k = 5 hashes, for a counting filter with counters
  of 4 bits.
  Asked: the counters m and the rate p.
$ -n 1000 -k 3 => Half full, by convention
  "  m = k n / ln 2 = 3 x 1,000 / 0.693147 = 4,328.0851"
  "  rounded up: 4,329"
$ -n 1000 -k 5 --filter counting --round 64 => Half full, by convention
  "  rounded up, as --round asks: 7,232"
$ -n 1000 -k 5 --filter plain-blocked => Half full, by convention
  "  rounded up, to whole blocks of 512: 7,680"
$ -n 409500 -p 2% --filter scalable --initial 100 => What is given, and what is asked
  Given: n = 409,500 items and a false-positive rate p of at most 0.02, for a
  scalable filter.
  Asked: the bits m of its stages and the hashes k of the last.
  The answer is m = 6,337,849. The next steps compute its rate; the last show
  why it is the answer.
$ -m 30000 -p 1% --filter scalable => What is given, and what is asked
  Given: m = 30,000 bits and a false-positive rate p of at most 0.01, for a
  scalable filter.
  Asked: the most items n and the hashes k of the last.
  The answer is n = 1,000. The next steps compute its rate; the last show why
  it is the answer.
$ -m 3 -p 0.001 => What is given, and what is asked
  Given: m = 3 bits and a false-positive rate p of at most 0.001.
  Asked: the most items n and the number of hashes k.
$ -m 3 -p 0.001 => Why nothing fits
  A single item sets up to k of the m = 3 bits, and a query for another item is
  a false positive if all of its bits are among them. With n = 1 and the best
  k = 1 that is
  "  p = 0.333334, over 0.001"
  so even one item needs a larger m.
$ -m 3 -k 2 -p 0.001 => Why nothing fits
  A single item sets up to k of the m = 3 bits, and a query for another item is
  a false positive if all of its bits are among them. With n = 1 and k = 2 that
  is
  "  p = 0.333334, over 0.001"
  ""
$ -m 8 -p 1e-5 --filter split-block --block-bits 8 => Why nothing fits
  A single item sets up to k of the m = 8 bits, and a query for another item is
  a false positive if all of its bits are among them. With n = 1 and k = 8 that
  is
  "  p = 1, over 1e-5"
  ""
$ -m 500 -p 1% --filter scalable => Why nothing fits
  Not even the first stage fits: room for 1,000 items at its share of p, 0.01 x
  (1 - 0.85) = 0.0015, takes 13,544 bits, and m = 500.
$ -m 10 -k 2 -p 0.039 --confidence 99% => Why nothing fits
  A single item sets up to k of the m = 10 bits, and a query for another item
  is a false positive if all of its bits are among them. With n = 1 and k = 2
  that is
  "  10 % of single filters that keep 0.039, under 99 %"
  so even one item needs a larger m.
$ -n 1000 -m 10000 -k 4 --model asymptotic => What the textbook leaves out
  "  p = mean of (X/m)^k = 0.0118179"
  The textbook is 0.0228 % too low here.
  The answer is that of the asymptotic formula, as asked, with e^(-k n/m) in
  place of (1 - 1/m)^(k n):
  "  p = (1 - e^(-k n/m))^k = 0.0118133"
$ -n 2000 -m 20000 -k 3 --model textbook => What the textbook leaves out
  "  p = mean of (X/m)^k = 0.0174128"
  The textbook is 0.00611 % too low here.
  The answer is the textbook's, as asked:
  "  p = fill^k = 0.0174118"
$ -n 1e12 -p 1% => What the textbook leaves out
  "  p = mean of (X/m)^k = 0.01"
  Here the two agree to 12 digits.
$ -n 1000 -p 1% -k 5 --round pow2 => Rounding up
  The fewest bits that are enough are m = 9,851, with k = 5. Rounded up to a
  power of two that is m = 16,384.
$ -n 3000 -p 1% --round 64 --filter plain-blocked --block-bits 100 => Rounding up
  The fewest bits that are enough are m = 33,700, with k = 6. Rounded up to a
  multiple of 64 and whole blocks of 100 that is m = 35,200, and k is chosen
  again for it.
$ -n 1000 -m 10000 -k 14 => How many hashes
  "  k =   7   p = 0.00820096    lowest"
  "  k =   8   p = 0.0084644"
  "  k =   9   p = 0.00913817"
  "  k =  10   p = 0.0102001"
  "  k =  11   p = 0.0116675"
  "  k =  12   p = 0.0135835"
  "  k =  13   p = 0.0160093"
  "  k =  14   p = 0.0190206     <- the answer"
  ""
$ -n 1000 -m 10000 -k 15 -p 1% => How many hashes
  "  k =   7   p = 0.00820096    within  lowest"
  "  k =   8   p = 0.0084644     within"
  "  k =   9   p = 0.00913817    within"
  "  ..."
  "  k =  13   p = 0.0160093     over"
  "  k =  14   p = 0.0190206     over"
  "  k =  15   p = 0.0227044     over  <- the answer"
  "  k =  16   p = 0.0271565     over"
  "  k =  17   p = 0.0324783     over"
  k was given.
  ""
$ -n 2000 -m 15000 -p 1% => How many hashes
  "  k =   3   p = 0.0358382     over"
  "  k =   4   p = 0.0292006     over"
  "  k =   5   p = 0.0272852     over  lowest  <- the answer"
  "  k =   6   p = 0.0278955     over"
  "  k =   7   p = 0.0302923     over"
  None is enough, and the answer takes the best.
  (The rule of thumb for the best k is (m/n) ln 2 = 5.199, for filters of any
  ""
$ -n 100 -p 0.01% --filter split-block => How many bits
  "  m = 2,560:  p = 0.0001037733  not met"
  "  m = 2,816:  p = 6.299203e-5  met"
  p falls with every block, so one block of 256 less is too few.
$ -n 20000 -p 1% => Why many calculators say otherwise
  The usual rule solves the textbook's approximation for the best k as a real
  number:
  "  m = -n ln p / (ln 2)^2 = 191,701.168, rounded up 191,702"
  "  k = (m/n) ln 2 = 6.644, rounded 7"
  That filter has p = 0.0100395, 0.39 % over the target.
$ -n 200 -p 2% --filter partitioned => One slice
  Each hash has its own slice of the m = 1,634 bits: 2 slices of 273 bits and 4
  slices of 272 bits. An item sets one bit in each, so in a slice of s bits a
  share of 1 - (1 - 1/s)^n is set:
  "  1 - (1 - 1/273)^200 = 0.51998877"
  "  1 - (1 - 1/272)^200 = 0.52128463"
$ -n 200 -p 2% --filter partitioned => All slices
  of the slices are independent, so here the chances may be multiplied, and the
  result is exact:
  "  p = 0.51998877^2 x 0.52128463^4 = 0.0199659"
  A classic filter of this size, whose hashes share all bits, has
  p = 0.0198961.
$ -n 20 -m 64 -k 8 --filter partitioned => One slice
  Each hash has its own slice of the m = 64 bits: 8 slices of 8 bits. An item
  sets one bit in each, so in a slice of s bits a share of 1 - (1 - 1/s)^n is
  set:
  "  1 - (1 - 1/8)^20 = 0.93079124"
$ -n 500 -m 64 -k 1 --filter partitioned => All slices
  of the slices are independent, so here the chances may be multiplied, and the
  result is exact:
  "  p = 0.99961956^1 = 0.99962"
$ -n 10 -m 99 -k 1 --filter plain-blocked --block-bits 9 => One block
  The filter has m = 99 bits in 11 blocks of 9. An item goes to one block and
  sets k = 1 of its bits, so a query reads one place in memory.
  "  mean load = n / blocks = 10 / 11 = 0.90909"
$ -n 10 -m 99 -k 1 --filter plain-blocked --block-bits 9 => Blocks fill unevenly
  The items of a block vary by chance around 0.9091, with the standard
  deviation
  "  sqrt(load (1 - 1/blocks)) = 0.909"
  The rate of a block with i items is that of a classic filter of 9 bits:
  "  i = 0        0"
  "  i = 1        0.1111"
  "  i = 2        0.2099"
  p is the mean over all loads:
  "  p = sum over i of  P(a block has i items)  x  rate of a block with i"
  "    = 0.0965403"
$ -n 100 -p 0.01% --filter split-block => One block
  The filter has m = 2,816 bits in 11 blocks of 256. An item goes to one block
  and sets one bit in each of its 8 lanes of 32 bits, so a query reads one
  place in memory.
  "  mean load = n / blocks = 100 / 11 = 9.0909"
$ -n 100 -p 0.01% --filter split-block => Blocks fill unevenly
  The items of a block vary by chance around 9.091, with the standard deviation
  "  sqrt(load (1 - 1/blocks)) = 2.87"
  The rate of a block with i items is (1 - (1 - 1/32)^i)^8:
  "  i = 6        8.191e-7"
  "  i = 9        1.456e-5"
  "  i = 12       0.0001015"
  It rises faster above the mean load than it falls below it. p is the mean
  over all loads:
  "  p = sum over i of  P(a block has i items)  x  rate of a block with i"
  "    = 6.29921e-5"
  A classic filter of this size and k has p = 1.40646e-5: reading one place in
  memory costs 4.48 times the rate.
$ -n 1 -p 10% --filter split-block => Its rate
  With i = 1 p is (1 - (1 - 1/32)^i)^8:
  "  p = 9.09495e-13"
  A classic filter of this size and k has p = 8.46199e-13: reading one place in
  memory costs 1.07 times the rate.
$ -n 40 -m 512 -k 6 --filter plain-blocked => Its rate
  With i = 40 p is that of a classic filter of 512 bits:
  "  p = 0.00278803"
$ -n 7 -p 0.3 --confidence 50% => From the mean to single filters
  The mean of X is m times the fill, 10.0871, and single filters deviate from
  it: 62.832 % of them keep 0.3. You asked for 50 %.
$ -m 1000 -p 1% --confidence 90% => From the mean to single filters
  "  m p^(1/k) = 1,000 x 0.01^(1/6) = 464.159"
  The mean of X is m times the fill, 451.353, and single filters deviate from
  it by about
  "  sqrt(m c (1 - (1 + k n/m) c)) = 8.18,  with c = 1 - fill"
  So the bound is 1.57 such deviations above the mean, and 94.6591 % of all
  filters keep 0.01. You asked for 90 %.
  For the mean alone n could be 104, but of those filters only 50.8 % keep
  0.01. To bring that to 90 %, n had to shrink by 4.
$ -m 900 -p 5% --confidence 80% --filter counting => From the mean to single filters
  That p is a mean over all filters. A single one has the rate (X/m)^k of the X
  counters that happen to be above 0, and keeps 0.05 if X is at most m p^(1/k):
  "  m p^(1/k) = 900 x 0.05^(1/4) = 425.584"
  The mean of X is m times the fill, 417.092, and single filters deviate from
  it: 85.6523 % of them keep 0.05. You asked for 80 %.
  For the mean alone n could be 143, but of those filters only 59.8 % keep
  0.05. To bring that to 80 %, n had to shrink by 3.
$ -m 20 -p 0.3 --confidence 50% => From the mean to single filters
  The mean of X is m times the fill, 6.03325, and single filters deviate from
  it: 69.4765 % of them keep 0.3. You asked for 50 %.
$ -n 409500 -p 2% --filter scalable --initial 100 => All stages
  "  p6 = 0.00133105   3,200 items in 44,134 bits, k = 10"
  "  p7 = 0.00113142   6,400 items in 90,387 bits, k = 10"
  ""
$ -n 1200000 -p 2% --filter scalable --initial 100 => All stages
  For n = 1,200,000 items the filter has 14 stages of 26,466,981 bits in all.
  Each has the fewest bits that keep its share of P when it is full. The exact
  rate of each, with the items it holds now:
  "  p1 = 0.00299952   100 items in 1,212 bits, k = 8"
  "  p2 = 0.00254712   200 items in 2,490 bits, k = 9"
  "  p3 = 0.00216673   400 items in 5,110 bits, k = 9"
  "  p4 = 0.00184145   800 items in 10,488 bits, k = 9"
  "  p5 = 0.00156593   1,600 items in 21,521 bits, k = 9"
  "  p6 = 0.00133105   3,200 items in 44,134 bits, k = 10"
  "  ..."
  "  p9 = 0.000817465  25,600 items in 378,883 bits, k = 10"
  "  p10 = 0.000694849  51,200 items in 775,458 bits, k = 11"
  "  p11 = 0.000590622  102,400 items in 1,584,807 bits, k = 11"
  "  p12 = 0.00050203   204,800 items in 3,238,283 bits, k = 11"
  "  p13 = 0.000426725  409,600 items in 6,615,716 bits, k = 11"
  "  p14 = 4.8344e-7    380,900 of 819,200 items in 13,513,416 bits, k = 11"
  A query is a false positive unless every stage is right, so
  "  p = 1 - (1 - p1)...(1 - p14) = 0.0174393"
  When these stages are full it is 1 - (1 - s)(1 - s r)(1 - s r^2)... with
  s = P (1 - r), at most 0.0178003, which is 89 % of P; the rest is for stages
  ""
$ -m 30000 -p 1% --filter scalable => Rates that add up
  Let P = 0.01 be the rate that all stages together may have.
  An item is found if any stage finds it, so the rates of all stages add up. If
  they were equal, the sum would exceed every bound. So each stage gets
  r = 0.85 times the rate of the one before, and the first gets
  "  P (1 - r) = 0.01 x (1 - 0.85) = 0.0015"
  because then all stages, however many, sum to P (1 - r)(1 + r + r^2 +
  ...) = P.
$ -n 5000 -m 100000 -p 0.01% --filter scalable => Rates that add up
  Stages that keep 0.0001 however many there are need more than m, so P is the
  lowest rate at which the stages for n items fit in m, found by bisection:
  P = 0.00880077.
  ""
$ -n 5000 -m 100000 --filter scalable => Rates that add up
  No rate is given, so P is the lowest rate at which the stages for n items fit
  in m, found by bisection: P = 0.00880077.
  ""
$ -m 30000 -p 1% --filter scalable => All stages
  The next stage would take 27,760 bits, and of m = 30,000 only 16,456 are
  left.
$ -m 20000 -k 7 --set-bits 9400 --hash-bits 16 => The rate now
  "  p = (X/m)^k = (9,400 / 20,000)^7 = 0.47^7 = 0.00506623"
$ -m 20000 -k 7 --set-bits 9400 --hash-bits 16 => The hash
  Any other query finds what the filter finds:
  "  p = f + (1 - f) 0.00506624 = 0.0322281"
"#;

/// Returns the steps, each with its title and the lines below it.
fn steps(line: &str) -> Vec<(String, String)> {
    let (_, out, err) = run(&format!("{line} --explain"));
    let derivation = out.split_once("How this answer is derived\n\n");
    let derivation = derivation.unwrap_or_else(|| panic!("{line}: {out}{err}")).1;
    let steps = derivation.trim_end().split("\n\n").map(|step| {
        let (title, text) = step.split_once('\n').unwrap();
        let lines: Vec<_> = text.lines().map(|line| &line[3..]).collect();
        let title = title.split_once(". ").unwrap().1;
        (title.to_string(), lines.join("\n"))
    });
    steps.collect()
}

#[test]
fn every_step_says_what_its_formula_gives() {
    for (line, parts) in cases(STEPS) {
        let (title, expected) = parts.split_first().unwrap();
        let (steps, expected) = (steps(line), expected.join("\n"));
        let step = steps.iter().find(|step| step.0 == *title);
        let text = &step.unwrap_or_else(|| panic!("{line}: {steps:?}")).1;
        let (text, end) = (format!("\n{text}"), format!("\n{expected}"));
        let is_told = text.ends_with(&end) || end.ends_with('\n') && text.contains(&end);
        assert!(is_told, "{line}: {text}\n\nfor\n\n{expected}");
    }
}

#[test]
fn a_step_is_left_out_where_it_has_nothing_to_say() {
    for (line, [expected]) in rows(
        "
        $ -n 1000 -k 5 --round 64 => given | Half full | One bit | One query | What the textbook | How many hashes
        $ -n 100 -p 2% --filter split-block => given | One block | Blocks fill | How many bits
        $ -n 1 -p 10% --filter split-block => given | One block | Its rate | Is the target met
        $ -n 40 -m 512 --filter plain-blocked => given | One block | Its rate | How many hashes
        $ -n 500 -m 64 -k 1 --filter partitioned => given | One slice | All slices | How many hashes
        $ -m 30000 -p 1% --filter scalable => given | Stages | Rates that add up | All stages
    ",
    ) {
        let titles: Vec<_> = steps(line).into_iter().map(|step| step.0).collect();
        let expected: Vec<_> = expected.split(" | ").collect();
        assert_eq!(titles.len(), expected.len(), "{line}: {titles:?}");
        for (title, part) in titles.iter().zip(expected) {
            assert!(title.contains(part), "{line}: {title} for {part}");
        }
    }
}
