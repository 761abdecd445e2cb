(* The sinusoidal encoding of positions (paper, Sec. 4.4):                         *)
(*   PE[k, 2j] = sin (k w_j), PE[k, 2j + 1] = cos (k w_j), w_j = 10000^(-2j/d).     *)
(*                                                                                 *)
(*              sinusoid w k c == entry c of position k, frequencies w             *)
(*   sinusoidal_encoding w n d == the n x d matrix of these                        *)
(*               frequency d j == the paper's 10000^(-2j/d)                        *)
From Attest Require Import prelude.
From mathcomp Require Import trigo.

Section Encoding.
Variable R : realType.

(* column c belongs to the frequency w (c / 2)                                  *)
Definition sinusoid (w : nat -> R) (k c : nat) : R :=
  if odd c then cos (k%:R * w c./2) else sin (k%:R * w c./2).

Definition sinusoidal_encoding (w : nat -> R) n d : 'M[R]_(n, d) := \matrix_(k, c) sinusoid w k c.

(* 10000^(-2j/d)                                                               *)
Definition frequency (d j : nat) : R := (10%:R ^+ 4) `^ (- (j.*2%:R / d%:R)).

End Encoding.
