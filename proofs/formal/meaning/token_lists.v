(* Cases with lists of tokens (docs/certificate.md, Lists of tokens): contexts of varying length.  *)
(* The problem that is checked has each list as often as makes them equally long, which changes no *)
(* mean: rules/repeated_lists.v proves that what it puts out is what is put out from the lists.       *)
(*                                                                                                 *)
(*     cycled N C == the list C, N %/ size C times                                                 *)
(*   with_lists D N lists == the problem D with the list of tokens of each example so often          *)
(*   tokens_at, list_logits == the matrix of the tokens of an example, the logits of their layer       *)
(*   list_Z, list_given_Z, list_outputs == Z of any weights (Eq. 7), that of a layer of the case, and    *)
(*          the outputs of jacobian.v, from the lists                                              *)
From Attest Require Import integers attention literals problem jacobian.

Local Notation Z := BinNums.Z.

Definition cycled (A : Type) (N : nat) (C : seq A) : seq A := flatten (nseq (N %/ size C) C).

Definition with_lists (D : problem) (N : nat) (lists : nat -> seq (seq Z)) : problem :=
  Problem (T D) (H D) N (d D) (d_h D) (d_v D) (d_out D) (base_two D) (logit_scale D)
    (q_contexts D) (fun t => cycled N (lists t)) (q_queries D) (queries D) (given D) (q_labels D) (labels D)
    (around D).

Section Meaning.
Variables (R : realType) (D : problem) (lists : nat -> seq (seq Z)).

Definition tokens_at (t : 'I_(T D)) : 'M[R]_(size (lists t), d D) := mx R _ _ (q_contexts D) (lists t).

Definition list_Z (P : weights R (H D) (d D) (d_h D) 0 0 0) : 'M[R]_(T D, H D * d D) :=
  \matrix_t (stack (head_z P (tokens_at t) (e R D t)))^T.

Definition list_logits (L : layer) (t : 'I_(T D)) (h : 'I_(H D)) : 'cV[R]_(size (lists t)) :=
  match L with
  | Factors m qk K qq Q qkb bK qqb bQ =>
    (tokens_at t *m literal R (d D) m qk K h + const_mx 1 *m (literal_bias R m qkb bK h)^T)
      *m ((literal R (d D) m qq Q h)^T *m e R D t + literal_bias R m qqb bQ h)
  | Combined q W => tokens_at t *m literal R (d D) (d D) q W h *m e R D t
  | Projected _ => 0   (* has no tokens, but logits *)
  end.

Definition list_given_Z (L : layer) (a : bool) : 'M[R]_(T D, H D * d D) :=
  \matrix_t (stack (fun h => (tokens_at t)^T *m softmax (factor R D a *: list_logits L t h)))^T.

Definition list_outputs m (s : R) (bK bQ : 'I_(H D) -> 'cV[R]_m) (w : parameter D m -> R) (t : 'I_(T D)) : 'cV[R]_(d_out D) :=
  \sum_h (readout_of w h)^T *m ((tokens_at t)^T *m
    softmax (s *: ((tokens_at t *m key_of w h + const_mx 1 *m (bK h)^T) *m ((query_of w h)^T *m e R D t + bQ h)))).

End Meaning.
