(* An exported case, replayed: 6 queries, 2 heads, 3 shared tokens in dimension 4.          *)
(* The two bounds meet, so the rank of Z is exactly 5 = H (n - 1) + 1, also for the real    *)
(* layer with weights ln 2 W_h.                                                            *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals exp.
From Attest Require Import attention case_checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Definition example : layer_case := LayerCase 6 2 3 4
 [:: [:: [:: 1; 0; 0; 2];
  [:: 0; 1; 0; 1];
  [:: 0; 0; 1; 0]];
 [:: [:: 1; 0; 0; 2];
  [:: 0; 1; 0; 1];
  [:: 0; 0; 1; 0]];
 [:: [:: 1; 0; 0; 2];
  [:: 0; 1; 0; 1];
  [:: 0; 0; 1; 0]];
 [:: [:: 1; 0; 0; 2];
  [:: 0; 1; 0; 1];
  [:: 0; 0; 1; 0]];
 [:: [:: 1; 0; 0; 2];
  [:: 0; 1; 0; 1];
  [:: 0; 0; 1; 0]];
 [:: [:: 1; 0; 0; 2];
  [:: 0; 1; 0; 1];
  [:: 0; 0; 1; 0]]]%BZ
 [:: [:: [:: 0; (-1); (-1); 1];
  [:: 0; 1; 1; 0];
  [:: 0; 0; 0; 1];
  [:: 0; 0; 0; 0]];
 [:: [:: 1; 0; 1; 0];
  [:: 1; (-1); 0; 0];
  [:: 1; 1; (-1); 0];
  [:: 0; 0; 1; (-1)]]]%BZ
 [:: [:: 0; (-1); 1; (-2)];
  [:: (-2); 2; (-2); 0];
  [:: 2; (-2); 2; (-1)];
  [:: (-2); (-2); 1; 1];
  [:: (-2); (-1); (-2); 2];
  [:: 1; (-2); 2; (-2)]]%BZ.

Lemma example_lower : (5 <= \rank (case_Z example))%N.
Proof.
apply: (@check_lowerP example 12%BZ 2147483647%BZ
 [:: 0; 1; 3; 2; 4]%N
 [:: (0, 0); (0, 1); (0, 2); (1, 0); (1, 1)]%N
 [:: [:: 1426460660; 460075878; 143776273; 653783668; 1294018682];
  [:: 1408546896; 589437105; 806940877; 844974674; 500447120];
  [:: 1152981353; 1041162516; 360915106; 64022968; 1541631881];
  [:: 663387455; 1026229762; 751202380; 1353570451; 1888466174];
  [:: 2100033754; 717928911; 502373724; 449466027; 1857855011]]%BZ).
by vm_cast_no_check (erefl true).
Qed.

Lemma example_upper : (\rank (case_Z example) <= 5)%N.
Proof.
apply: (@check_upperP example 2%BZ
 [:: [:: 1; 1; 1; 0]; [:: 0; 1; 2; 1]]%BZ [:: 1; 2]%BZ [:: 0; 3]%N
 [:: [:: 1; 0]; [:: 0; 1]]%BZ).
by vm_cast_no_check (erefl true).
Qed.

Theorem example_rank : \rank (case_Z example) = 5%N.
Proof. by apply/eqP; rewrite eqn_leq example_upper example_lower. Qed.

Theorem example_rank_real (R : realType) :
  \rank (Zmx (fun t => map_mx intr (@case_E example t) : 'M[R]_(_, _))
             (fun t => map_mx intr (@case_e example t))
             (fun h => ln 2%:R *: map_mx intr (@case_W example h))) = 5%N.
Proof. by rewrite case_Z_real // example_rank. Qed.
