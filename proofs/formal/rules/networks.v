(* The proved checker, networks on given labels: a network that fits them, and case *)
(* trees over activation patterns that show that none does (docs/certificate.md).   *)
(*                                                                                   *)
(*     annihilates D k == sum_t k_t (x_t, 1) = 0, x_t the flattened inputs             *)
(*    network_ok, network_sound == a network with these outputs                       *)
(*        trees_ok, trees_sound == no network has them                                *)
From Attest Require Import integers attention proposition_3 literal_arithmetic problem logits claims.
From Attest Require Import quantity_bounds rational_matrices.

Local Notation Z := BinNums.Z.

Definition zero_row (r : seq Z) : bool := all (fun x => x =? 0)%coqZ r.

Definition annihilates (D : problem) (k : seq Z) : bool :=
  [&& size k == T D, (total k =? 0)%coqZ, zero_row (combination (d D) k (queries D)) &
    shared D || all (fun i => zero_row (combination (d D) k [seq nth [::] C i | C <- contexts D]))
      (iota 0 (n D))].

(* --- a network: neurons (W, w', b, a) over common denominators qw and qa, and an output bias over qa *)
Record neuron := Neuron { on_context : seq (seq Z); on_query : seq Z; neuron_bias : Z; output : Z }.

(* the sum of W_ij E_ij *)
Fixpoint dot_rows (A B : seq (seq Z)) : Z :=
  match A, B with x :: A', y :: B' => (dot x y + dot_rows A' B')%coqZ | _, _ => 0%coqZ end.

Definition before_relu (D : problem) (x : neuron) (t : nat) : Z :=
  (dot_rows (on_context x) (context_at D t) * Zpos (q_queries D)
   + dot (on_query x) (nth [::] (queries D) t) * Zpos (q_contexts D)
   + neuron_bias x * Zpos (q_contexts D * q_queries D))%coqZ.

Definition network_ok (D : problem) (c : arguments) (qw qa : positive) (net : seq neuron) (bias : Z) : bool :=
  [&& size net == neurons c, output_bias c || (bias =? 0)%coqZ,
    all (fun x => [&& size (on_context x) == n D, all (fun r => size r <= d D)%N (on_context x)
                    & size (on_query x) <= d D])%N net &
    all (fun t => ((foldr (fun x s => output x * Z.max 0 (before_relu D x t) + s) 0 net
                    + bias * Zpos (qw * (q_contexts D * q_queries D))) * Zpos (q_labels D)
                   =? ent (labels D) t 0 * Zpos (qa * (qw * (q_contexts D * q_queries D))))%coqZ)
      (iota 0 (T D))].

(* --- case trees *)
Inductive tree :=
  | Leaf (examples : seq Z) (factors : seq (seq Z)) (order : seq Z)
  | Branch (j t : nat) (active inactive : tree).

(* decisions: neuron, example, whether active *)
Definition decided (path : seq (nat * nat * bool)) (j t : nat) (b : bool) : bool :=
  has (fun x => [&& eqn x.1.1 j, eqn x.1.2 t & if b then x.2 else ~~ x.2]) path.

Definition add_first (z : Z) (r : seq Z) : seq Z := if r is x :: r' then (x + z)%coqZ :: r' else [::].

Section Trees.
Variables (D : problem) (c : arguments) (p : nat).
Local Notation m := (neurons c).

Definition factor_ok (path : seq (nat * nat * bool)) (lambda : seq Z) (j : nat) (nu : seq Z) (t : nat) : bool :=
  let most := if (j < p)%N then (- nth 0%coqZ lambda t)%coqZ else nth 0%coqZ lambda t in
  (decided path j t true || (0 <=? nth 0%coqZ nu t)%coqZ) && (decided path j t false || (nth 0%coqZ nu t <=? most)%coqZ).

Definition leaf_ok path (lambda : seq Z) (nu : seq (seq Z)) (rho : seq Z) : bool :=
  [&& size lambda == T D, (0 <? dot lambda (col 0 (labels D)))%coqZ,
    ~~ output_bias c || (total lambda =? 0)%coqZ, (size rho < m)%N,
    all (fun j => (0 <=? nth 0 rho j) && ((nth 0 rho j =? 0) || eqb (j < p)%N (j.+1 < p)%N))%coqZ (iota 0 m.-1) &
    all (fun j => all (factor_ok path lambda j (nth [::] nu j)) (iota 0 (T D)) &&
           annihilates D (add_first (nth 0 (0%coqZ :: rho) j - nth 0 rho j)%coqZ (nth [::] nu j)))
      (iota 0 m)].

Fixpoint tree_ok path (x : tree) : bool :=
  match x with
  | Leaf lambda nu rho => leaf_ok path lambda nu rho
  | Branch j t active inactive =>
    [&& (j < m)%N, (t < T D)%N, tree_ok ((j, t, true) :: path) active & tree_ok ((j, t, false) :: path) inactive]
  end.

End Trees.

(* tree k is about the networks of which k neurons are added                          *)
Definition trees_ok (D : problem) (c : arguments) (trees : seq tree) : bool :=
  [&& (0 < neurons c)%N, size trees == (neurons c).+1 &
    all (fun k => tree_ok D c k [::] (nth (Leaf [::] [::] [::]) trees k)) (iota 0 (neurons c).+1)].

(* -------------------------------------------------------------------------- *)
(* Soundness                                                                   *)
(* -------------------------------------------------------------------------- *)
Section Sound.
Variables (R : realType) (D : problem) (c : arguments).
Hypothesis okD : wf_sizes D.
Local Notation T := (T D).
Local Notation n := (n D).
Local Notation d := (d D).
Local Notation m := (neurons c).
Local Notation E := (E R D).
Local Notation e := (e R D).
Local Notation z x := (toF R x).
Let okP := wf_sizes_problem okD.
Let T0 : (0 < T)%N. Proof. by case/and5P: okD. Qed.
Let t0 : 'I_T := Ordinal T0.

Lemma zero_combination w k M j : all (fun r => size r <= w)%N M -> size k = T ->
  zero_row (combination w k M) -> \sum_(t < T) z (nth 0%coqZ k t) * z (ent M t j) = 0.
Proof.
move=> sM sk zero; have := nth_combination k j sM; rewrite sk.
have -> : nth 0%coqZ (combination w k M) j = 0%coqZ.
  have [js|sj] := ltnP j (size (combination w k M)); last by rewrite nth_default.
  by apply/Z.eqb_eq/(allP zero)/mem_nth.
move/(congr1 (toF R)); rewrite rmorph0 rmorph_sum => s0; rewrite [RHS]s0.
by apply: eq_bigr => t _; rewrite rmorphM.
Qed.

Lemma totalE k : size k = T -> z (total k) = \sum_(t < T) z (nth 0%coqZ k t).
Proof.
move=> <-; rewrite /total; elim: k => [|x k IH] /=; first by rewrite big_ord0 rmorph0.
by rewrite big_ord_recl rmorphD /= IH.
Qed.

(* W, w' and b as a function of the input *)
Lemma inputE (w : 'rV[R]_(n * d + d)) t : (w *m input R D t) 0 0 =
  \sum_i \sum_j vec_mx (lsubmx w) i j * E t i j + \sum_j rsubmx w 0 j * e t j 0.
Proof.
rewrite /input /flat -{1}[w]hsubmxK mul_row_col mxE; congr (_ + _); last by rewrite mxE.
rewrite -{1}[lsubmx w]vec_mxK mxvec_dot; apply: eq_bigr => i _; rewrite mxE; apply: eq_bigr => j _.
by rewrite !mxE.
Qed.

Lemma annihilatesP k (w : 'rV[R]_(n * d + d)) b : annihilates D k ->
  \sum_(t < T) z (nth 0%coqZ k t) * ((w *m input R D t) 0 0 + b) = 0.
Proof.
case/and4P=> /eqP sk /Z.eqb_eq tk qk ck.
have sum0 : \sum_(t < T) z (nth 0%coqZ k t) = 0 by rewrite -totalE // tk rmorph0.
have [_ _ _ sq _] := wf_sizesP okD.
have onE i j : \sum_(t < T) z (nth 0%coqZ k t) * E t i j = 0.
  case/orP: ck => [sh|/allP/(_ (i : nat))].
    have Et t : E t i j = E t0 i j.
      by rewrite !mxE !(shared_contexts sh).
    by under eq_bigr do rewrite Et; rewrite -mulr_suml sum0 mul0r.
  rewrite mem_iota /= add0n ltn_ord => /(_ isT) zero.
  rewrite (eq_bigr (fun t : 'I_T => z (nth 0%coqZ k t) *
      z (ent [seq nth [::] C i | C <- contexts D] t j) / z (Zpos (q_contexts D)))) => [|t _]; last first.
    by rewrite !mxE -mulrA /ent (nth_map [::]) ?size_contexts // contextE.
  rewrite -mulr_suml (zero_combination _ _ sk zero) ?mul0r //.
  apply/allP => r /mapP[C Cin ->].
  have [_ _ /allP/(_ C Cin)/andP[_ sr] _] := wf_problemP okP.
  exact: (all_nth_nil (P := fun r : seq Z => size r <= d)%N).
have onq j : \sum_(t < T) z (nth 0%coqZ k t) * e t j 0 = 0.
  rewrite (eq_bigr (fun t : 'I_T => z (nth 0%coqZ k t) * z (ent (queries D) t j) / z (Zpos (q_queries D)))) => [|t _].
    rewrite -mulr_suml (@zero_combination d k (queries D) j) ?mul0r //.
    by apply/allP => r /(allP sq)/eqP ->.
  by rewrite !mxE mulrA.
under eq_bigr do rewrite inputE mulrDr mulrDr.
rewrite !big_split /= -mulr_suml sum0 mul0r addr0.
rewrite [X in X + _](_ : _ = 0) ?add0r; last first.
  under eq_bigr do rewrite mulr_sumr; rewrite exchange_big big1 //= => i _.
  under eq_bigr do rewrite mulr_sumr; rewrite exchange_big big1 //= => j _.
  by under eq_bigr do rewrite mulrCA; rewrite -mulr_sumr onE mulr0.
under eq_bigr do rewrite mulr_sumr; rewrite exchange_big big1 //= => j _.
by under eq_bigr do rewrite mulrCA; rewrite -mulr_sumr onq mulr0.
Qed.

(* --- leaves *)
Section Leaves.
Variables (p : nat) (h : nat -> 'I_T -> R) (b0 : R).
Let sign j : R := if (j < p)%N then 1 else -1.
Hypothesis linear : forall j k, (j < m)%N -> annihilates D k -> \sum_(t < T) z (nth 0%coqZ k t) * h j t = 0.
Hypothesis fit : forall t, \sum_(j < m) sign j * Num.max 0 (h j t) + b0 = label R D t.
Hypothesis no_bias : ~~ output_bias c -> b0 = 0.
Hypothesis sorted_h : forall j, (j.+1 < m)%N -> (j < p)%N = (j.+1 < p)%N -> h j.+1 t0 <= h j t0.

Definition agrees path := forall (j : nat) (t : 'I_T), (j < m)%N ->
  (decided path j t true -> 0 <= h j t) /\ (decided path j t false -> h j t <= 0).

Lemma factorP path lambda j nu (t : 'I_T) : (j < m)%N -> agrees path -> factor_ok p path lambda j nu t ->
  z (nth 0%coqZ nu t) * h j t <= - (sign j * z (nth 0%coqZ lambda t)) * Num.max 0 (h j t).
Proof.
move=> jm /(_ j t jm)[act inact]; rewrite /factor_ok.
set most := if _ then _ else _; have -> : - (sign j * z (nth 0%coqZ lambda t)) = z most.
  by rewrite /most /sign; case: ifP; rewrite ?mul1r ?rmorphN // mulN1r opprK.
set x := z most; set y := z _; have toF_le a b : (a <=? b)%coqZ -> z a <= z b by move/Z.leb_le/toF_leq.
case/andP => /orP A /orP B.
have y0 : ~~ decided path j t true -> 0 <= y.
  by case: A => [->//|/toF_le]; rewrite rmorph0.
have yx : ~~ decided path j t false -> y <= x by case: B => [->//|/toF_le].
case: (boolP (decided path j t true)) act y0 => [_ /(_ isT) h0 _|_ _ /(_ isT) y0].
  case: (boolP (decided path j t false)) inact yx => [_ /(_ isT) h0' _|_ _ /(_ isT) yx].
    have -> : h j t = 0 by apply/eqP; rewrite eq_le h0 h0'.
    by rewrite maxxx !mulr0.
  by rewrite max_r // ler_wpmul2r.
case: (boolP (decided path j t false)) inact yx => [_ /(_ isT) h0' _|_ _ /(_ isT) yx].
  by rewrite max_l // mulr0 mulr_ge0_le0.
have [h0|h0] := lerP 0 (h j t); first by rewrite ler_wpmul2r.
by rewrite mulr0 mulr_ge0_le0 // ltW.
Qed.

Lemma leafP path lambda nu rho : agrees path -> ~ leaf_ok D c p path lambda nu rho.
Proof.
move=> ag /and5P[/eqP sl /Z.ltb_lt pos bias srho /andP[ord fac]].
pose l t := z (nth 0%coqZ lambda t); pose r (j : nat) := z (nth 0%coqZ rho j).
pose r' (j : nat) := z (nth 0%coqZ (0%coqZ :: rho) j); pose nuR j (t : 'I_T) := z (nth 0%coqZ (nth [::] nu j) t).
have fac' j : (j < m)%N -> all (factor_ok p path lambda j (nth [::] nu j)) (iota 0 T) /\
    annihilates D (add_first (nth 0 (0%coqZ :: rho) j - nth 0 rho j)%coqZ (nth [::] nu j)).
  by move=> jm; apply/andP; apply: (allP fac); rewrite mem_iota add0n jm.
have Lpos : 0 < \sum_(t < T) l t * label R D t.
  have -> : \sum_(t < T) l t * label R D t = z (dot lambda (col 0 (labels D))) / z (Zpos (q_labels D)).
    rewrite (@dotE T) ?sl // rmorph_sum mulr_suml; apply: eq_bigr => t _.
    by rewrite rmorphM nth_col /label mulrA.
  by rewrite divr_gt0 // -(rmorph0 [rmorphism of toF R]) toF_lt.
have b0l : \sum_(t < T) l t * b0 = 0.
  rewrite -mulr_suml; case/orP: bias => [/no_bias ->|/Z.eqb_eq t0l]; first by rewrite mulr0.
  by rewrite -totalE // t0l rmorph0 mul0r.
have LE : \sum_(t < T) l t * label R D t = \sum_(j < m) \sum_(t < T) sign j * l t * Num.max 0 (h j t).
  rewrite exchange_big /=; under eq_bigr do rewrite -fit mulrDr.
  rewrite big_split /= b0l addr0; apply: eq_bigr => t _; rewrite mulr_sumr; apply: eq_bigr => j _.
  by rewrite mulrA (mulrC (l t)).
have le_nu : \sum_(j < m) \sum_(t < T) nuR j t * h j t <= - \sum_(t < T) l t * label R D t.
  rewrite LE -sumrN; apply: ler_sum => j _; rewrite -sumrN; apply: ler_sum => t _; rewrite -mulNr.
  apply: (factorP (path := path)) => //; have [/allP/(_ (t : nat)) ok _] := fac' j (ltn_ord j).
  by apply: ok; rewrite mem_iota add0n ltn_ord.
have nu_rho (j : 'I_m) : \sum_(t < T) nuR j t * h j t = (r j - r' j) * h j t0.
  have [_ ann] := fac' j (ltn_ord j).
  have := linear (ltn_ord j) ann; case/and4P: ann => /eqP snu _ _ _.
  case nuE : (nth [::] nu j) snu => [|x nj] /= snu.
    by exfalso; move: T0; rewrite -snu.
  move=> lin0; rewrite -[LHS]subr0 -[X in _ - X]lin0 -sumrB (bigD1 t0) //= big1 ?addr0 => [|t tt0].
    by rewrite -mulrBl /nuR nuE /= rmorphD rmorphB opprD addrA subrr add0r opprB.
  rewrite -mulrBl /nuR nuE; have : (0 < t)%N by rewrite lt0n.
  by case: (nat_of_ord t) => // k _; rewrite /= subrr mul0r.
move: le_nu; under eq_bigr do rewrite nu_rho; apply/negP; rewrite -ltNge.
apply: lt_le_trans (_ : 0 <= _); first by rewrite oppr_lt0.
have m0 : (0 < m)%N by apply: leq_ltn_trans srho.
have mE : m = m.-1.+1 by rewrite prednK.
have -> : \sum_(j < m) (r j - r' j) * h j t0 = \sum_(0 <= j < m.-1) r j * (h j t0 - h j.+1 t0).
  rewrite -(big_mkord xpredT (fun j => (r j - r' j) * h j t0)) mE.
  under eq_bigr do rewrite mulrBl; rewrite sumrB big_nat_recr //= big_nat_recl //=.
  rewrite /r' /= /r rmorph0 mul0r add0r [nth _ rho m.-1]nth_default ?rmorph0 ?mul0r ?addr0; last by rewrite -ltnS -mE.
  by rewrite -sumrB; apply: eq_bigr => j _; rewrite mulrBr.
rewrite big_nat; apply: sumr_ge0 => j /andP[_ jm].
have /andP[/Z.leb_le r0 eqs] : (0 <=? nth 0 rho j)%coqZ && ((nth 0 rho j =? 0)%coqZ || eqb (j < p)%N (j.+1 < p)%N).
  by apply: (allP ord); rewrite mem_iota add0n jm.
case/orP: eqs => [/Z.eqb_eq r_0|/eqP jp]; first by rewrite /r r_0 rmorph0 mul0r.
rewrite mulr_ge0 //; first by rewrite -(rmorph0 [rmorphism of toF R]) toF_leq.
by rewrite subr_ge0 sorted_h // mE ltnS.
Qed.

Lemma treeP x path : agrees path -> ~ tree_ok D c p path x.
Proof.
elim: x path => [lambda nu rho|j t a IHa i IHi] path ag /=; first exact: leafP.
case/and4P=> jm tT oka oki.
have extend b : (if b then 0 <= h j (Ordinal tT) else h j (Ordinal tT) <= 0) -> agrees ((j, t, b) :: path).
  move=> hb j' t' jm'; have [A B] := ag j' t' jm'.
  have same : eqn t t' -> t' = Ordinal tT by move/eqnP => tE; apply/val_inj.
  split; rewrite /decided /= => /orP[/and3P[/eqnP <- /same -> bE]|]; try by [apply: A | apply: B].
    by move: hb; rewrite bE.
  by move: hb; rewrite (negbTE bE).
have [h0|h0] := lerP 0 (h j (Ordinal tT)).
  by apply: IHa oka; apply: extend.
by apply: IHi oki; apply: extend; apply: ltW.
Qed.

End Leaves.

(* --- a network with its neurons sorted by sign and by their value at the first input *)
Local Notation net_neuron := (bool * ('rV[R]_(n * d + d) * R))%type.
Let value (x : net_neuron) (t : 'I_T) : R := (x.2.1 *m input R D t) 0 0 + x.2.2.
Let above (x y : net_neuron) : bool := (x.1 && ~~ y.1) || ((x.1 == y.1) && (value y t0 <= value x t0)).

Lemma above_total : ssrbool.total above.
Proof. by case=> [[] x] [[] y]; rewrite /above //= ?eqxx /= le_total. Qed.

Lemma above_trans : transitive above.
Proof.
move=> [b y] [a x] [c' w]; rewrite /above /=.
by case: a; case: b; case: c' => //= xy yw; rewrite ?eqxx /= (le_trans yw).
Qed.

Lemma sorted_signs (s : seq net_neuron) j x0 : sorted above s -> (j < size s)%N ->
  (nth x0 s j).1 = (j < count fst s)%N.
Proof.
elim: s j => //= x s IH j xs js.
have := order_path_min above_trans xs => /allP min; have {}IH := IH _ (path_sorted xs).
case x1: x.1; last first.
  have none : all (fun y => ~~ y.1) s.
    by apply/allP => y /min; rewrite /above x1 /=; case: (y.1).
  have -> : count fst s = 0%N by apply/eqP; rewrite -leqn0 leqNgt -has_count -all_predC.
  by case: j js => //= j js; apply/negbTE/(allP none)/mem_nth.
by case: j js => //= j js; rewrite add1n ltnS IH.
Qed.

Theorem trees_sound trees : trees_ok D c trees -> ~ fits c (label R D).
Proof.
case/and3P => m0 /eqP _ /allP ok [a [w [b [b0 [b0P fitP]]]]].
pose net0 : seq net_neuron := [seq (0 <= a j, (`|a j| *: w j, `|a j| * b j)) | j <- enum 'I_m].
pose net := sort above net0.
have perm : perm_eq net net0 by rewrite perm_sort.
have snet : size net = m by rewrite size_sort size_map size_enum_ord.
pose x0 : net_neuron := (true, (0, 0)).
pose p := count fst net; pose h j t := value (nth x0 net j) t.
have p_le : (p < m.+1)%N by rewrite ltnS -snet count_size.
have sorted_net : sorted above net by apply/sort_sorted/above_total.
have signs j : (j < m)%N -> (nth x0 net j).1 = (j < p)%N.
  by move=> jm; apply: sorted_signs; rewrite ?snet.
apply: (@treeP p h b0 _ _ b0P _ (nth (Leaf [::] [::] [::]) trees p) [::]).
- by move=> j k jm /annihilatesP; apply.
- move=> t; rewrite -fitP; congr (_ + _); rewrite /relu_net.
  transitivity (\sum_(x <- net) (if x.1 then 1 else -1) * Num.max 0 (value x t)); last first.
    rewrite (perm_big _ perm) /net0 big_map big_enum /=; apply: eq_bigr => j _; rewrite /value /= -scalemxAl mxE -mulrDr.
    have -> y : Num.max 0 (`|a j| * y) = `|a j| * Num.max 0 y by rewrite maxr_pmulr // mulr0.
    rewrite mulrA; congr (_ * _).
    by case: lerP => aj; [rewrite mul1r ger0_norm|rewrite ltr0_norm // mulN1r opprK].
  rewrite (big_nth x0) snet big_mkord; apply: eq_bigr => j _.
  by rewrite signs.
- move=> j jm same; have /(sortedP x0)/(_ j) := sorted_net; rewrite snet => /(_ jm).
  by rewrite /above (signs j (ltnW jm)) (signs j.+1 jm) same andbN eqxx.
- by move=> j t jm.
by apply: ok; rewrite mem_iota add0n.
Qed.

(* --- a network *)
Let zM x y : z (x * y)%coqZ = z x * z y. Proof. exact: rmorphM. Qed.
Let zD x y : z (x + y)%coqZ = z x + z y. Proof. exact: rmorphD. Qed.

Lemma dot_rowsE k A B : (size A <= k)%N -> all (fun r => size r <= d)%N A ->
  z (dot_rows A B) = \sum_(i < k) \sum_(j < d) z (ent A i j) * z (ent B i j).
Proof.
elim: A B k => [|x A IH] [|y B] [|k] //= Ak sA.
- by rewrite big_ord0 rmorph0.
- by rewrite rmorph0 big1 // => i _; rewrite big1 // => j _; rewrite /ent nth_nil nth_nil rmorph0 mul0r.
- by rewrite big_ord0 rmorph0.
- by rewrite rmorph0 big1 // => i _; rewrite big1 // => j _; rewrite /ent nth_nil nth_nil rmorph0 mul0r.
- by rewrite rmorph0 big1 // => i _; rewrite big1 // => j _; rewrite /ent [nth [::] [::] i]nth_nil nth_nil rmorph0 mulr0.
case/andP: sA => sx sA; rewrite big_ord_recl zD (IH B k) //; congr (_ + _).
by rewrite (dotE _ sx) rmorph_sum; apply: eq_bigr => j _; rewrite rmorphM.
Qed.

Theorem network_sound qw qa net bias : network_ok D c qw qa net bias -> fits c (label R D).
Proof.
case/and4P=> /eqP sn bz /(all_nthP (Neuron [::] [::] 0 0)) shape /allP ok.
pose neu (j : 'I_m) := nth (Neuron [::] [::] 0 0) net j.
pose w j : 'rV[R]_(n * d + d) := row_mx (mxvec (mx R n d qw (on_context (neu j))))
  (\row_i (z (nth 0%coqZ (on_query (neu j)) i) / z (Zpos qw))).
pose b j := z (neuron_bias (neu j)) / z (Zpos qw); pose a j := z (output (neu j)) / z (Zpos qa).
have w0 := toF_pos R qw; have a0 := toF_pos R qa; have c0 := toF_pos R (q_contexts D).
have q0 := toF_pos R (q_queries D); have l0 := toF_pos R (q_labels D).
pose Q := z (Zpos qw) * (z (Zpos (q_contexts D)) * z (Zpos (q_queries D))).
have QE : z (Zpos (qw * (q_contexts D * q_queries D))) = Q by rewrite /Q -!zM.
have Q0 : 0 < Q by rewrite -QE -(rmorph0 [rmorphism of toF R]) toF_lt.
have before j t : Q * ((w j *m input R D t) 0 0 + b j) = z (before_relu D (neu j) t).
  have := shape j; rewrite sn ltn_ord => /(_ isT)/and3P[/eqP s1 s2 s3].
  rewrite /before_relu !zD !zM (@dot_rowsE n) ?s1 // (@dotE d) // rmorph_sum inputE row_mxKl row_mxKr mxvecK.
  have -> : \sum_i \sum_j0 mx R n d qw (on_context (neu j)) i j0 * E t i j0 = (\sum_(i < n) \sum_(j0 < d)
      z (ent (on_context (neu j)) i j0) * z (ent (context_at D t) i j0)) / (z (Zpos qw) * z (Zpos (q_contexts D))).
    rewrite mulr_suml; apply: eq_bigr => i _; rewrite mulr_suml; apply: eq_bigr => j0 _.
    by rewrite !mxE mulf_div.
  have -> : \sum_j0 (\row_i (z (nth 0%coqZ (on_query (neu j)) i) / z (Zpos qw))) 0 j0 * e t j0 0 = (\sum_(j0 < d)
      z (nth 0%coqZ (on_query (neu j)) j0 * nth 0%coqZ (nth [::] (queries D) t) j0)) / (z (Zpos qw) * z (Zpos (q_queries D))).
    by rewrite mulr_suml; apply: eq_bigr => j0 _; rewrite !mxE mulf_div -rmorphM.
  have -> : z (Zpos (q_contexts D * q_queries D)) = z (Zpos (q_contexts D)) * z (Zpos (q_queries D)).
    exact: (zM (Zpos _) (Zpos _)).
  rewrite /Q /b; move: (\sum_(i < n) _) (\sum_(j0 < d) _) (z (neuron_bias _)) => S S' s.
  move: w0 c0 q0; move: (z (Zpos qw)) (z (Zpos (q_contexts D))) (z (Zpos (q_queries D))) => x y y' x0 y0 y0'.
  by field; rewrite x0 y0 y0'.
exists a, w, b, (z bias / z (Zpos qa)); split=> [|t].
  by case/orP: bz => [->//|/Z.eqb_eq -> _]; rewrite rmorph0 mul0r.
have out : z (foldr (fun x s => output x * Z.max 0 (before_relu D x t) + s)%coqZ 0%coqZ net) =
    Q * (z (Zpos qa) * relu_net a w b (input R D t)).
  transitivity (\sum_(x <- net) z (output x) * Num.max 0 (z (before_relu D x t))).
    elim: (net) => [|x s IH] /=; first by rewrite big_nil rmorph0.
    rewrite big_cons zD zM IH; congr (_ * _ + _).
    by case: (Z.max_spec 0 (before_relu D x t)) => -[lt ->]; rewrite ?rmorph0;
      [rewrite max_r // -(rmorph0 [rmorphism of toF R]) ltW // toF_lt
      |rewrite max_l // -(rmorph0 [rmorphism of toF R]) toF_leq].
  rewrite (big_nth (Neuron [::] [::] 0 0)) sn big_mkord /relu_net !mulr_sumr; apply: eq_bigr => j _.
  have maxQ y : Num.max 0 (Q * y) = Q * Num.max 0 y by rewrite maxr_pmulr ?ltW // mulr0.
  rewrite -before maxQ /a -/(neu j).
  by rewrite mulrCA; congr (_ * _); rewrite mulrA [z (Zpos qa) * _]mulrC mulfVK.
have : (t : nat) \in iota 0 T by rewrite mem_iota add0n /=.
move/ok/Z.eqb_eq/(congr1 (toF R)); rewrite !zM zD zM.
rewrite (_ : z (Zpos (qa * (qw * (q_contexts D * q_queries D)))) = z (Zpos qa) * Q); last by rewrite -QE -zM.
rewrite QE out /label => eq.
apply: (mulIf l0); rewrite mulfVK //; apply: (mulIf (mulf_neq0 a0 (lt0r_neq0 Q0))); rewrite -eq.
move: a0; move: (relu_net _ _ _ _) (z bias) (z (Zpos qa)) (z (Zpos (q_labels D))) => r x y l y0.
by clearbody Q; field; rewrite y0.
Qed.

End Sound.
