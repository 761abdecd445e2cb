(* The proved checker, logits: the integers from which they are computed; lists that are repetitions of   *)
(* a shorter one.                                                                                         *)
(*                                                                                                        *)
(*            prepared D L == the heads of the layer L, as lists that are quick to use                    *)
(*         shared_contexts == shared contexts are the first                                               *)
(*    wf_problem, wf_layer == lists have the lengths that the sizes say                                   *)
(*               exponents == integers l with  logit = kappa l,  kappa = sqrt m / N, in base 2 times ln 2 *)
(*              exponentsE == this, for the logits up to what is the same for a whole head                *)
(*                period C == the shortest beginning of the rows C that they repeat                       *)
(*   periodP, sum_repeated == C is it so often, and so are sums over C                                    *)
From Attest Require Import integers attention layer_variants upper_bounds problem literal_arithmetic claims.

Local Notation Z := BinNums.Z.

(* -------------------------------------------------------------------------- *)
(* Lemmas about the definitions of problem.v and claims.v                     *)
(* -------------------------------------------------------------------------- *)
Lemma equal_rowP r s : reflect (r = s) (equal_row r s).
Proof.
apply: (iffP idP) => [|->]; last by elim: s => //= x s ->; rewrite Z.eqb_refl.
by elim: r s => [|x r IH] [|y s] //=; case: Z.eqb_spec => // -> /IH->.
Qed.

Lemma equal_rowsP r s : reflect (r = s) (equal_rows r s).
Proof.
apply: (iffP idP) => [|->]; last by elim: s => //= x s ->; rewrite (introT (equal_rowP _ _)).
by elim: r s => [|x r IH] [|y s] //=; case: equal_rowP => // -> /IH->.
Qed.

Lemma largest_geq N (P : nat -> Prop) k : (k <= N)%N -> P k -> (k <= largest N P)%N.
Proof.
move=> kN Pk; rewrite -ltnS in kN; apply: (@leq_trans (Ordinal kN)) => //.
by rewrite /largest (bigmax_sup (Ordinal kN)) //; apply/asboolP.
Qed.

Lemma largest_leq N (P : nat -> Prop) m : (forall k, P k -> k <= m)%N -> (largest N P <= m)%N.
Proof. by move=> Pm; apply/bigmax_leqP => k /asboolP; apply: Pm. Qed.

Lemma largest_leq_N N P : (largest N P <= N)%N.
Proof. by apply/bigmax_leqP => k _; rewrite -ltnS ltn_ord. Qed.

Lemma contextE D t : nth [::] (contexts D) t = context_at D t.
Proof.
rewrite /contexts; have [tT|Tt] := ltnP t (T D); first by rewrite (nth_map 0%N) ?size_iota // nth_iota.
by rewrite nth_default ?size_map ?size_iota // /context_at ltnNge Tt.
Qed.
Lemma size_contexts D : size (contexts D) = T D. Proof. by rewrite size_map size_iota. Qed.
Lemma context_in D t : (t < T D)%N -> context_at D t \in contexts D.
Proof. by move=> tT; rewrite -contextE mem_nth // size_contexts. Qed.
Lemma all_contexts D (P : pred (seq (seq Z))) :
  all (fun t => P (context_at D t)) (iota 0 (T D)) = all P (contexts D).
Proof. by rewrite all_map. Qed.
Lemma shared_contexts D t : shared D -> (t < T D)%N -> context_at D t = context_at D 0.
Proof. by rewrite /shared => /allP sh tT; apply/esym/equal_rowsP/sh; rewrite mem_iota. Qed.

Section Layers.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation given_Z := (given_Z R D).
Local Notation given_coefs := (given_coefs R).
Local Notation factor := (factor R D).
Local Notation literal := (literal R).
Local Notation literal_bias := (literal_bias R).

Lemma given_Z_attn_out L a : given_Z L a = attn_out (given_coefs L a) E.
Proof.
apply/row_matrixP => t; rewrite !rowK trmxK; congr mxvec.
by apply/row_matrixP => h; rewrite row_mul !rowK trmx_mul trmxK.
Qed.

(* without biases: Z of attention.v for the layer whose key weights are scaled   *)
Lemma given_Z_factors m qk K qq Q a :
  given_Z (Factors m qk K qq Q 1 [::] 1 [::]) a =
  attention.Z E e (Weights (fun h => factor a *: literal d m qk K h) (literal d m qq Q) (fun=> 0) 0 0
    : weights R H d m 0 0 0).
Proof.
have b0 h : literal_bias m 1 [::] h = 0.
  by apply/colP => k; rewrite !mxE /ent nth_nil nth_nil rmorph0 mul0r.
apply/row_matrixP => t; rewrite [LHS]rowK [RHS]rowK; congr (stack _)^T; apply/funext => h.
rewrite /head_z /alpha /keys /query /logits !b0 /= addr0 trmx0 mulmx0 addr0.
by rewrite -scalemxAr -scalemxAl.
Qed.

(* with biases: the logits of layer_variants.v                                           *)
Lemma given_Z_biased m qk K qq Q qkb bK qqb bQ a :
  given_Z (Factors m qk K qq Q qkb bK qqb bQ) a =
  \matrix_t (stack (fun h => (E t)^T *m softmax (factor a *:
    biased_logits (Weights (literal d m qk K) (literal d m qq Q) (fun=> 0) 0 0
      : weights R H d m 0 0 0) (literal_bias m qkb bK) (literal_bias m qqb bQ) (E t) (e t) h)))^T.
Proof. by []. Qed.

(* combined weights: Z as a function of W_h                                      *)
Lemma given_Z_combined q W a :
  given_Z (Combined q W) a = Zmx E e (fun h => factor a *: literal d d q W h).
Proof.
apply/row_matrixP => t; rewrite [LHS]rowK [RHS]rowK; congr (stack _)^T; apply/funext => h.
by rewrite /logits -scalemxAr -scalemxAl.
Qed.

End Layers.

(* -------------------------------------------------------------------------- *)
(* Logits, computed                                                            *)
(* -------------------------------------------------------------------------- *)
Definition columns (m : nat) (M : seq (seq Z)) : seq (seq Z) := [seq col k M | k <- iota 0 m].

(* A head, prepared: the integers from which logits are computed                 *)
Inductive literal_head :=
  | FactorHead (key query_columns : seq (seq Z)) (bias : seq Z)
  | CombinedHead (rows : seq (seq Z))
  | ProjectedHead (h : nat).

Definition prepare (L : layer) (h : nat) : literal_head :=
  match L with
  | Factors m _ K _ Q _ _ _ bQ =>
    FactorHead (nth [::] K h) (columns m (nth [::] Q h)) (nth [::] bQ h)
  | Combined _ W => CombinedHead (nth [::] W h)
  | Projected _ => ProjectedHead h
  end.

Definition prepared (D : problem) (L : layer) : seq literal_head := [seq prepare L h | h <- iota 0 (H D)].

(* W_h e_t, or K_h (Q_h^T e_t + b_h), times vector_den                           *)
Definition vector_den (D : problem) (L : layer) : positive :=
  match L with
  | Factors _ qk _ qq _ _ _ qqb _ => (qk * (qq * q_queries D * qqb))%positive
  | Combined q _ => (q * q_queries D)%positive
  | Projected _ => 1%positive
  end.

Fixpoint add_bias (c : Z) (u b : seq Z) : seq Z :=
  match u, b with
  | x :: u', y :: b' => (x + c * y)%coqZ :: add_bias c u' b'
  | _, _ => u
  end.

Definition raw_vector (D : problem) (L : layer) (g : literal_head) (q : seq Z) : seq Z :=
  match L, g with
  | Factors _ _ _ qq _ _ _ qqb _, FactorHead K Q b =>
    let u := [seq (dot q c * Zpos qqb)%coqZ | c <- Q] in
    let u := add_bias (Zpos (qq * q_queries D)) u b in
    [seq dot r u | r <- K]
  | _, CombinedHead W => [seq dot r q | r <- W]
  | _, _ => [::]
  end.

Definition raw_logits (D : problem) (L : layer) (g : literal_head) (t : nat) : seq Z :=
  match L, g with
  | Projected p, ProjectedHead h =>
    let q := nth [::] (nth [::] (projected_queries p) t) h in
    [seq dot r q | r <- nth [::] (nth [::] (projected_keys p) t) h]
  | _, _ =>
    let w := raw_vector D L g (nth [::] (queries D) t) in
    [seq dot r w | r <- context_at D t]
  end.

Definition raw_den (D : problem) (L : layer) : positive :=
  if L is Projected p then (q_projected_keys p * q_projected_queries p)%positive else (q_contexts D * vector_den D L)%positive.

(* logits that are no function of tokens and queries *)
Definition projects (L : layer) : bool := if L is Projected _ then true else false.

(* the scale as a fraction, and what is under the root                           *)
Definition scale_num (D : problem) (absorbed : bool) : Z :=
  if absorbed then 1%coqZ else if logit_scale D is Rational a _ then a else 1%coqZ.
Definition scale_den (D : problem) (absorbed : bool) : positive :=
  if absorbed then 1%positive
  else match logit_scale D with Rational _ q => q | InverseRoot m => m end.
Definition root (D : problem) (absorbed : bool) : positive :=
  if absorbed then 1%positive else if logit_scale D is InverseRoot m then m else 1%positive.

Definition total_den (D : problem) L absorbed : positive := (raw_den D L * scale_den D absorbed)%positive.

(* Exponents: b ^ logit = (exp kappa) ^ l                                         *)
Definition exponents (D : problem) (L : layer) (absorbed : bool) (g : literal_head) (t : nat) : seq Z :=
  [seq (scale_num D absorbed * x)%coqZ | x <- raw_logits D L g t].

Definition wf_problem (D : problem) : bool :=
  [&& (0 < n D)%N,
    all (fun t => let C := context_at D t in (size C == n D) && all (fun r => size r <= d D)%N C) (iota 0 (T D)) &
    all (fun q => size q <= d D)%N (queries D)].

Definition wf_layer (D : problem) (L : layer) : bool :=
  match L with
  | Factors m _ K _ _ _ _ _ bQ => all (all (fun r => size r <= m)%N) K && all (fun b => size b <= m)%N bQ
  | Combined _ W => all (all (fun r => size r <= d D)%N) W
  | Projected p => (size (projected_keys p) == T D) && all (fun K => (size K == H D) && all (fun M =>
      (size M == n D) && all (fun r => size r <= projected_width p)%N M) K) (projected_keys p)
  end.

Lemma wf_problemP D : wf_problem D -> [/\ (0 < n D)%N, size (contexts D) == T D,
  all (fun C => (size C == n D) && all (fun r => size r <= d D)%N C) (contexts D) & all (fun q => size q <= d D)%N (queries D)].
Proof. by rewrite -all_contexts size_contexts; case/and3P. Qed.

Section Logits.
Variables (R : realType) (D : problem).
Local Notation T := (T D).
Local Notation H := (H D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation E := (E R D).
Local Notation e := (e R D).
Hypothesis okD : wf_problem D.

Lemma n_gt0 : (0 < n)%N. Proof. by case/and3P: okD. Qed.

Lemma size_context (t : 'I_T) : size (context_at D t) = n.
Proof. by have [_ _ /allP/(_ _ (context_in (ltn_ord t)))/andP[/eqP]] := wf_problemP okD. Qed.

Lemma size_token (t : 'I_T) i : (size (nth [::] (context_at D t) i) <= d)%N.
Proof.
have [_ _ /allP/(_ _ (context_in (ltn_ord t)))/andP[_ aEt] _] := wf_problemP okD.
exact: (all_nth_nil (P := fun r : seq Z => size r <= d)%N).
Qed.

Lemma size_query t : (size (nth [::] (queries D) t) <= d)%N.
Proof. by case/and3P: okD => _ _ aq; apply: (all_nth_nil (P := fun r : seq Z => size r <= d)%N). Qed.

Variables (L : layer) (absorbed : bool).
Hypothesis okL : wf_layer D L.
Local Notation "z %:R" := (toF R z) : ring_scope.

Lemma projected_keyP (t : 'I_T) (h : 'I_H) p (Ks := nth [::] (nth [::] (projected_keys p) t) h) : L = Projected p ->
  size Ks = n /\ all (fun r => size r <= projected_width p)%N Ks.
Proof.
move: okL; rewrite {}/Ks /wf_layer => ok LE; move: ok; rewrite LE => /andP[/eqP sT /allP K].
have /K/andP[/eqP sH /allP M] : nth [::] (projected_keys p) t \in projected_keys p by rewrite mem_nth ?sT.
by have /M/andP[/eqP] : nth [::] (nth [::] (projected_keys p) t) h \in nth [::] (projected_keys p) t by rewrite mem_nth ?sH.
Qed.

(* the vector whose scalar products with the tokens are the logits               *)
Definition vector (t : 'I_T) (h : 'I_H) : 'cV[R]_d :=
  match L with
  | Factors m qk K qq Q _ _ qqb bQ =>
    literal R d m qk K h *m ((literal R d m qq Q h)^T *m e t + literal_bias R m qqb bQ h)
  | Combined q W => literal R d d q W h *m e t
  | Projected _ => 0
  end.

(* the logits up to what is the same for a whole head                            *)
Definition main_logits (t : 'I_T) (h : 'I_H) : 'cV[R]_n :=
  if projects L then logits R L t h else E t *m vector t h.

Lemma main_logitsE t h : ~~ projects L -> main_logits t h = E t *m vector t h.
Proof. by rewrite /main_logits => /negPf ->. Qed.

Lemma softmax_logits c t h : softmax (c *: logits R L t h) = softmax (c *: main_logits t h).
Proof.
rewrite /main_logits /logits /vector; case: L => [m qk K qq Q qkb bK qqb bQ|q W|p]; [|by rewrite /= mulmxA|by []]; rewrite /=.
set u := _ + literal_bias R m qqb bQ h; rewrite mulmxDl -(mulmxA (const_mx 1)) -mulmxA scalerDr.
have -> : (literal_bias R m qkb bK h)^T *m u = (((literal_bias R m qkb bK h)^T *m u) 0 0)%:M.
  exact: mx11_scalar.
rewrite mul_mx_scalar scalerA (_ : _ *: const_mx 1 = const_mx (c * ((literal_bias R m qkb bK h)^T *m u) 0 0)).
  exact: softmax_shift.
by apply/matrixP => i j; rewrite !mxE mulr1.
Qed.

Lemma nth_add_bias c u b k : (size b <= size u)%N ->
  nth 0%coqZ (add_bias c u b) k = (nth 0 u k + c * nth 0 b k)%coqZ.
Proof.
elim: u b k => [|x u IH] [|y b] k //=; rewrite ?nth_nil //; first by rewrite Z.mul_0_r.
  by rewrite Z.mul_0_r Z.add_0_r.
by case: k => //= k; apply: IH.
Qed.

Lemma toF_neq0 q : toF R (Zpos q) != 0. Proof. exact: toF_pos. Qed.

Lemma mul_lit (q : positive) (x : R) : toF R (Zpos q) * (x / toF R (Zpos q)) = x.
Proof. by rewrite mulrC mulfVK // toF_pos. Qed.

Lemma raw_vectorE (t : 'I_T) (h : 'I_H) (j : 'I_d) : ~~ projects L ->
  toF R (Zpos (vector_den D L)) * vector t h j 0 =
  toF R (nth 0%coqZ (raw_vector D L (prepare L h) (nth [::] (queries D) t)) j).
Proof.
move: okL; rewrite /vector /vector_den /raw_vector /prepare /wf_layer.
case: L => [m qk K qq Q qkb bK qqb bQ|q W|//] ok /= _; last first.
  rewrite nth_map_dot (@dotE d); last first.
    apply: (all_nth_nil (P := fun r : seq Z => size r <= d)%N) => //.
    exact: (all_nth_nil (P := all (fun r : seq Z => size r <= d)%N)).
  rewrite rmorph_sum mxE mulr_sumr; apply: eq_bigr => k _; rewrite !mxE rmorphM /=.
  by rewrite toFpM mulrACA !mul_lit.
have /andP[okK okB] := ok.
set u := add_bias _ _ _.
have uE (k : 'I_m) : toF R (Zpos (qq * q_queries D * qqb)) *
    ((literal R d m qq Q h)^T *m e t + literal_bias R m qqb bQ h) k 0 = toF R (nth 0%coqZ u k).
  rewrite /u nth_add_bias ?size_map ?size_iota; last first.
    exact: (all_nth_nil (P := fun b : seq Z => size b <= m)%N).
  rewrite (nth_map [::]) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota // add0n.
  rewrite toFD !toFM !toFpM mxE mulrDr; congr (_ + _).
    rewrite (@dotE d) ?size_query // rmorph_sum mulrAC [_ * toF R (Zpos qqb)]mulrC mulrC; congr (_ * _).
    rewrite mxE mulr_sumr; apply: eq_bigr => l _; rewrite !mxE rmorphM /= nth_col mulrACA !mul_lit.
    by rewrite mulrC.
  by rewrite !mxE -mulrA mul_lit.
rewrite nth_map_dot (@dotE m); last first.
  apply: (all_nth_nil (P := fun r : seq Z => size r <= m)%N) => //.
  exact: (all_nth_nil (P := all (fun r : seq Z => size r <= m)%N)).
rewrite rmorph_sum mxE toFpM mulr_sumr; apply: eq_bigr => k _.
by rewrite rmorphM /= -uE [literal _ _ _ _ _ _ _ _]mxE mulrACA mul_lit.
Qed.

Lemma raw_logitsE (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  toF R (Zpos (raw_den D L)) * main_logits t h i 0 =
  toF R (nth 0%coqZ (raw_logits D L (prepare L h) t) i).
Proof.
have [pL|nL] := boolP (projects L); last first.
  have -> : raw_logits D L (prepare L h) t = [seq dot r (raw_vector D L (prepare L h) (nth [::] (queries D) t)) | r <- context_at D t].
    by case: L nL.
  have -> : raw_den D L = (q_contexts D * vector_den D L)%positive by case: L nL.
  rewrite main_logitsE // nth_map_dot (@dotE d) ?size_token // rmorph_sum mxE.
  rewrite toFpM mulr_sumr; apply: eq_bigr => j _.
  by rewrite rmorphM /= -raw_vectorE // [E t i j]mxE mulrACA mul_lit.
rewrite /main_logits pL; have := projected_keyP t h; case: L pL => // p _ /(_ _ erefl)[sn rows].
rewrite /logits /raw_logits /raw_den /=; set Ks := nth [::] (nth [::] (projected_keys p) t) h in sn rows *.
rewrite nth_map_dot (@dotE (projected_width p)); last by apply: (all_nth_nil (P := fun r : seq Z => size r <= projected_width p)%N).
rewrite rmorph_sum mxE toFpM mulr_sumr; apply: eq_bigr => j _.
by rewrite rmorphM /= !mxE /ent mulrACA !mul_lit.
Qed.

(* exp kappa is what the exponents are powers of                                 *)
Definition kappa : R := (if base_two D then ln 2 else 1) *
  (Num.sqrt (toF R (Zpos (root D absorbed))) / toF R (Zpos (total_den D L absorbed))).

Lemma size_raw_logits (t : 'I_T) (h : 'I_H) : size (raw_logits D L (prepare L h) t) = n.
Proof.
have [pL|nL] := boolP (projects L); last by case: L nL => [m qk K qq Q qkb bK qqb bQ|q W|//] _ /=; rewrite !size_map size_context.
by have := projected_keyP t h; case: L pL => // p _ /(_ _ erefl)[sn _]; rewrite size_map.
Qed.

Lemma size_exponents (t : 'I_T) (h : 'I_H) : size (exponents D L absorbed (prepare L h) t) = n.
Proof. by rewrite size_map size_raw_logits. Qed.

Lemma sqrtE (m : positive) : (Num.sqrt (toF R (Zpos m)))^-1 = Num.sqrt (toF R (Zpos m)) / toF R (Zpos m).
Proof.
have m0 : 0 <= toF R (Zpos m) by rewrite /toF ler0z.
have s0 : Num.sqrt (toF R (Zpos m)) != 0.
  by rewrite sqrtr_eq0 -ltNge lt0r toF_neq0.
by rewrite -{3}(sqr_sqrtr m0) expr2 invfM mulrA divff // mul1r.
Qed.

Lemma exponentsE (t : 'I_T) (h : 'I_H) (i : 'I_n) :
  factor R D absorbed * main_logits t h i 0 =
  kappa * toF R (nth 0%coqZ (exponents D L absorbed (prepare L h) t) i).
Proof.
set y := main_logits _ _ _ _; set x := nth 0%coqZ (raw_logits D L (prepare L h) t) i.
have yE : y = toF R x / toF R (Zpos (raw_den D L)).
  by rewrite /x -raw_logitsE mulrAC divff ?mul1r // toF_neq0.
rewrite (nth_map 0%coqZ) ?size_raw_logits // -/x /factor /kappa -!mulrA; congr (_ * _).
rewrite mulrA yE /total_den toFpM toFM /scale_num /scale_den /root /scale_value.
have s1 : Num.sqrt (toF R (Zpos 1)) = 1 by rewrite rmorph1 sqrtr1.
case: (absorbed); first by rewrite s1 rmorph1 !mulr1 !mul1r mulrC.
case: (logit_scale D) => [a q|m].
  rewrite s1 mul1r invfM; move: (toF R a) (toF R x) (_^-1) (_^-1) => {}a u v w.
  ring.
rewrite sqrtE rmorph1 mul1r invfM; move: (Num.sqrt _) (toF R x) (_^-1) (_^-1) => u v w a.
ring.
Qed.

End Logits.

(* ==================================================================================== *)
(* Repetitions                                                                          *)
(* ==================================================================================== *)
(* Sums over lists that are repetitions of a shorter one are multiples of sums over it. *)

Fixpoint begins (C S : seq (seq Z)) : bool :=
  match C, S with
  | r :: C', s :: S' => if equal_row r s then begins C' S' else false
  | _, _ => true
  end.

(* S are the rows C without the first k                                                *)
Fixpoint period_from (C S : seq (seq Z)) (k : nat) : seq (seq Z) :=
  if (if begins C S then size C %% k == 0 else false)%N then take k C
  else if S is _ :: S' then period_from C S' k.+1 else C.

Definition period (C : seq (seq Z)) : seq (seq Z) := period_from C (behead C) 1.

Lemma sum_repeated (F : zmodType) (m k : nat) (f : nat -> F) : \sum_(i < m * k) f (i %% k)%N = (\sum_(i < k) f i) *+ m.
Proof.
elim: m => [|m IH]; first by rewrite mulr0n big_ord0.
rewrite mulSn big_split_ord /= mulrS -IH; congr (_ + _); apply: eq_bigr => i _; first by rewrite modn_small.
by rewrite modnDl.
Qed.

Lemma nth_repeated (A : Type) (a : A) m (C : seq A) i : (i < m * size C)%N ->
  nth a (flatten (nseq m C)) i = nth a C (i %% size C)%N.
Proof.
elim: m i => // m IH i im; rewrite /= nth_cat; case: (ltnP i (size C)) => [iC|Ci]; first by rewrite modn_small.
by rewrite IH ?ltn_subLR // -{2}(subnK Ci) modnDr.
Qed.

Lemma size_repeated (A : Type) m (C : seq A) : size (flatten (nseq m C)) = (m * size C)%N.
Proof. by rewrite size_flatten /shape map_nseq sumn_nseq mulnC. Qed.

Lemma beginsP C S i : begins C S -> (i < size S)%N -> (size S <= size C)%N -> nth [::] S i = nth [::] C i.
Proof.
elim: C S i => [|r C IH] [|s S] i //=; case: equal_rowP => // -> ok; case: i => //= i iS sS.
exact: IH.
Qed.

Lemma take_repeated (C : seq (seq Z)) k : (0 < k)%N -> begins C (drop k C) -> (size C %% k)%N = 0%N ->
  C = flatten (nseq (size C %/ k) (take k C)).
Proof.
move=> k0 ok kC; have CE : size C = (size C %/ k * k)%N by rewrite {1}(divn_eq (size C) k) kC addn0.
have [C0|C0] := posnP (size C); first by rewrite C0 div0n /=; apply: size0nil.
have kn : (k <= size C)%N by rewrite dvdn_leq // /dvdn kC.
have sk : size (take k C) = k by rewrite size_takel.
apply: (@eq_from_nth _ [::]) => [|i iC]; first by rewrite size_repeated sk.
rewrite nth_repeated sk -?CE // nth_take ?ltn_pmod //.
elim/ltn_ind: i iC => i IH iC; have [ik|ki] := ltnP i k; first by rewrite modn_small.
have iS : (i - k < size (drop k C))%N by rewrite size_drop ltn_sub2r // (leq_ltn_trans ki).
rewrite -{1}(subnKC ki) -nth_drop (beginsP ok iS) ?size_drop ?leq_subr // IH.
- by rewrite -{2}(subnK ki) modnDr.
- by rewrite ltn_subrL k0 (leq_trans k0 ki).
exact: leq_ltn_trans (leq_subr k i) iC.
Qed.

Lemma periodP C : C = flatten (nseq (size C %/ size (period C)) (period C)).
Proof.
have whole : C = flatten (nseq (size C %/ size C) C).
  by have [/size0nil->//|C0] := posnP (size C); rewrite divnn C0 /= cats0.
suff H S k : (0 < k)%N -> S = drop k C -> C = flatten (nseq (size C %/ size (period_from C S k)) (period_from C S k)).
  by apply: (H) => //; rewrite drop1.
elim: S k => [|s S IH] k k0 SE /=.
  case: ifP => // _; rewrite take_oversize //.
  by have := congr1 size SE; rewrite size_drop => /esym/eqP; rewrite subn_eq0.
case: ifP => [|_]; last by apply: IH => //; have := congr1 behead SE; rewrite /= -drop1 drop_drop add1n.
case: ifP => // ok /eqP kC; have kn : (k <= size C)%N.
  by have := congr1 size SE; rewrite size_drop /= => E; rewrite ltnW // -subn_gt0 -E.
by rewrite size_takel //; apply: take_repeated => //; rewrite -SE.
Qed.

Lemma size_period C : (size (period C) <= size C)%N /\ (C != [::] -> (0 < size (period C))%N).
Proof.
split; last by case: C => // r C _; rewrite lt0n; apply/eqP => z; have /(congr1 size) := periodP (r :: C); rewrite size_repeated z muln0.
have st k : (size (take k C) <= size C)%N by rewrite size_take; case: ltnP => // /ltnW.
by rewrite /period; elim: (behead C) 1%N => [|s S IH] k /=; case: ifP.
Qed.

Lemma mem_period C r : r \in period C -> r \in C.
Proof.
rewrite /period; elim: (behead C) 1%N => [|s S IH] k /=; case: ifP => // _; try exact: mem_take.
exact: IH.
Qed.
