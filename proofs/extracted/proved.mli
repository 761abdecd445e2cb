
type __ = Obj.t

val implb : bool -> bool -> bool

val negb : bool -> bool

val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option

type ('a, 'b) sum =
| Inl of 'a
| Inr of 'b

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

type comparison =
| Eq
| Lt
| Gt

val compOpp : comparison -> comparison

type ('a, 'p) sigT =
| ExistT of 'a * 'p

val projT1 : ('a1, 'a2) sigT -> 'a1

val projT2 : ('a1, 'a2) sigT -> 'a2



val pred : Bigint.t -> Bigint.t

val add : Bigint.t -> Bigint.t -> Bigint.t

val mul : Bigint.t -> Bigint.t -> Bigint.t

val sub : Bigint.t -> Bigint.t -> Bigint.t

type reflect =
| ReflectT
| ReflectF

module Pos :
 sig
  type mask =
  | IsNul
  | IsPos of Bigint.t
  | IsNeg
 end

module Coq_Pos :
 sig
  val succ : Bigint.t -> Bigint.t

  val add : Bigint.t -> Bigint.t -> Bigint.t

  val add_carry : Bigint.t -> Bigint.t -> Bigint.t

  val pred_double : Bigint.t -> Bigint.t

  type mask = Pos.mask =
  | IsNul
  | IsPos of Bigint.t
  | IsNeg

  val succ_double_mask : mask -> mask

  val double_mask : mask -> mask

  val double_pred_mask : Bigint.t -> mask

  val sub_mask : Bigint.t -> Bigint.t -> mask

  val sub_mask_carry : Bigint.t -> Bigint.t -> mask

  val sub : Bigint.t -> Bigint.t -> Bigint.t

  val mul : Bigint.t -> Bigint.t -> Bigint.t

  val iter : ('a1 -> 'a1) -> 'a1 -> Bigint.t -> 'a1

  val div2 : Bigint.t -> Bigint.t

  val div2_up : Bigint.t -> Bigint.t

  val size_nat : Bigint.t -> Bigint.t

  val size : Bigint.t -> Bigint.t

  val compare_cont : comparison -> Bigint.t -> Bigint.t -> comparison

  val compare : Bigint.t -> Bigint.t -> comparison

  val eqb : Bigint.t -> Bigint.t -> bool

  val leb : Bigint.t -> Bigint.t -> bool

  val sqrtrem_step :
    (Bigint.t -> Bigint.t) -> (Bigint.t -> Bigint.t) -> (Bigint.t * mask) ->
    Bigint.t * mask

  val sqrtrem : Bigint.t -> Bigint.t * mask

  val sqrt : Bigint.t -> Bigint.t

  val gcdn : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

  val gcd : Bigint.t -> Bigint.t -> Bigint.t

  val iter_op : ('a1 -> 'a1 -> 'a1) -> Bigint.t -> 'a1 -> 'a1

  val to_nat : Bigint.t -> Bigint.t

  val of_succ_nat : Bigint.t -> Bigint.t
 end

module Z :
 sig
  val double : Bigint.t -> Bigint.t

  val succ_double : Bigint.t -> Bigint.t

  val pred_double : Bigint.t -> Bigint.t

  val pos_sub : Bigint.t -> Bigint.t -> Bigint.t

  val add : Bigint.t -> Bigint.t -> Bigint.t

  val opp : Bigint.t -> Bigint.t

  val sub : Bigint.t -> Bigint.t -> Bigint.t

  val mul : Bigint.t -> Bigint.t -> Bigint.t

  val pow_pos : Bigint.t -> Bigint.t -> Bigint.t

  val pow : Bigint.t -> Bigint.t -> Bigint.t

  val compare : Bigint.t -> Bigint.t -> comparison

  val leb : Bigint.t -> Bigint.t -> bool

  val ltb : Bigint.t -> Bigint.t -> bool

  val eqb : Bigint.t -> Bigint.t -> bool

  val max : Bigint.t -> Bigint.t -> Bigint.t

  val min : Bigint.t -> Bigint.t -> Bigint.t

  val abs : Bigint.t -> Bigint.t

  val to_nat : Bigint.t -> Bigint.t

  val of_nat : Bigint.t -> Bigint.t

  val to_pos : Bigint.t -> Bigint.t

  val pos_div_eucl : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t

  val div_eucl : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t

  val div : Bigint.t -> Bigint.t -> Bigint.t

  val modulo : Bigint.t -> Bigint.t -> Bigint.t

  val odd : Bigint.t -> bool

  val div2 : Bigint.t -> Bigint.t

  val log2 : Bigint.t -> Bigint.t

  val sqrt : Bigint.t -> Bigint.t

  val gcd : Bigint.t -> Bigint.t -> Bigint.t

  val shiftl : Bigint.t -> Bigint.t -> Bigint.t

  val shiftr : Bigint.t -> Bigint.t -> Bigint.t

  val lcm : Bigint.t -> Bigint.t -> Bigint.t
 end

module Option :
 sig
  val apply : ('a1 -> 'a2) -> 'a2 -> 'a1 option -> 'a2

  val default : 'a1 -> 'a1 option -> 'a1

  val bind : ('a1 -> 'a2 option) -> 'a1 option -> 'a2 option

  val map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option
 end

type ('aT, 'rT) simpl_fun =
  'aT -> 'rT
  (* singleton inductive, whose constructor was SimplFun *)

val fun_of_simpl : ('a1, 'a2) simpl_fun -> 'a1 -> 'a2

val comp : ('a2 -> 'a1) -> ('a3 -> 'a2) -> 'a3 -> 'a1

val pcomp : ('a2 -> 'a1 option) -> ('a3 -> 'a2 option) -> 'a3 -> 'a1 option

val tag : ('a1, 'a2) sigT -> 'a1

val tagged : ('a1, 'a2) sigT -> 'a2

val tagged0 : 'a1 -> 'a2 -> ('a1, 'a2) sigT

val addb : bool -> bool -> bool

val isSome : 'a1 option -> bool

val is_left : bool -> bool

val iffP : bool -> reflect -> reflect

val idP : bool -> reflect

val andP : bool -> bool -> reflect

type 't pred0 = 't -> bool

type 't predType =
  __ -> 't pred0
  (* singleton inductive, whose constructor was PredType *)

type 't pred_sort = __

type 't simpl_pred = ('t, bool) simpl_fun

val simplPred : 'a1 pred0 -> 'a1 simpl_pred

module PredOfSimpl :
 sig
  val coerce : 'a1 simpl_pred -> 'a1 pred0
 end

type 't rel = 't -> 't pred0

type 't mem_pred =
  't pred0
  (* singleton inductive, whose constructor was Mem *)

val pred_of_mem : 'a1 mem_pred -> 'a1 pred_sort

val in_mem : 'a1 -> 'a1 mem_pred -> bool

val simpl_of_mem : 'a1 mem_pred -> 'a1 simpl_pred

val mem : 'a1 predType -> 'a1 pred_sort -> 'a1 mem_pred

module Equality :
 sig
  type 't axiom = 't -> 't -> reflect

  type 't mixin_of = { op : 't rel; mixin_of__1 : 't axiom }

  val op : 'a1 mixin_of -> 'a1 rel

  type coq_type =
    __ mixin_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  val coq_class : coq_type -> sort mixin_of
 end

val eq_op : Equality.coq_type -> Equality.sort rel

val eqP : Equality.coq_type -> Equality.sort Equality.axiom

val eqb0 : bool -> bool -> bool

val pred1 : Equality.coq_type -> Equality.sort -> Equality.sort simpl_pred

val inj_eqAxiom :
  Equality.coq_type -> ('a1 -> Equality.sort) -> 'a1 Equality.axiom

val injEqMixin :
  Equality.coq_type -> ('a1 -> Equality.sort) -> 'a1 Equality.mixin_of

val canEqMixin :
  Equality.coq_type -> ('a1 -> Equality.sort) -> (Equality.sort -> 'a1) ->
  'a1 Equality.mixin_of

val pair_eq :
  Equality.coq_type -> Equality.coq_type -> (Equality.sort * Equality.sort)
  rel

val pair_eqP :
  Equality.coq_type -> Equality.coq_type -> (Equality.sort * Equality.sort)
  Equality.axiom

val prod_eqMixin :
  Equality.coq_type -> Equality.coq_type -> (Equality.sort * Equality.sort)
  Equality.mixin_of

val prod_eqType : Equality.coq_type -> Equality.coq_type -> Equality.coq_type

val opt_eq :
  Equality.coq_type -> Equality.sort option -> Equality.sort option -> bool

val opt_eqP : Equality.coq_type -> Equality.sort option Equality.axiom

val option_eqMixin :
  Equality.coq_type -> Equality.sort option Equality.mixin_of

val option_eqType : Equality.coq_type -> Equality.coq_type

val tagged_as :
  Equality.coq_type -> (Equality.sort, 'a1) sigT -> (Equality.sort, 'a1) sigT
  -> 'a1

val tag_eq :
  Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
  (Equality.sort, Equality.sort) sigT -> (Equality.sort, Equality.sort) sigT
  -> bool

val tag_eqP :
  Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
  (Equality.sort, Equality.sort) sigT Equality.axiom

val tag_eqMixin :
  Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
  (Equality.sort, Equality.sort) sigT Equality.mixin_of

val tag_eqType :
  Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
  Equality.coq_type

val sum_eq :
  Equality.coq_type -> Equality.coq_type -> (Equality.sort, Equality.sort)
  sum -> (Equality.sort, Equality.sort) sum -> bool

val sum_eqP :
  Equality.coq_type -> Equality.coq_type -> (Equality.sort, Equality.sort)
  sum Equality.axiom

val sum_eqMixin :
  Equality.coq_type -> Equality.coq_type -> (Equality.sort, Equality.sort)
  sum Equality.mixin_of

val sum_eqType : Equality.coq_type -> Equality.coq_type -> Equality.coq_type

val eqn : Bigint.t -> Bigint.t -> bool

val eqnP : Bigint.t Equality.axiom

val nat_eqMixin : Bigint.t Equality.mixin_of

val nat_eqType : Equality.coq_type

val addn_rec : Bigint.t -> Bigint.t -> Bigint.t

val addn : Bigint.t -> Bigint.t -> Bigint.t

val subn_rec : Bigint.t -> Bigint.t -> Bigint.t

val subn : Bigint.t -> Bigint.t -> Bigint.t

val leq : Bigint.t -> Bigint.t -> bool

val maxn : Bigint.t -> Bigint.t -> Bigint.t

val minn : Bigint.t -> Bigint.t -> Bigint.t

val iter0 : Bigint.t -> ('a1 -> 'a1) -> 'a1 -> 'a1

val iteri : Bigint.t -> (Bigint.t -> 'a1 -> 'a1) -> 'a1 -> 'a1

val iterop : Bigint.t -> ('a1 -> 'a1 -> 'a1) -> 'a1 -> 'a1 -> 'a1

val muln_rec : Bigint.t -> Bigint.t -> Bigint.t

val muln : Bigint.t -> Bigint.t -> Bigint.t

val expn_rec : Bigint.t -> Bigint.t -> Bigint.t

val expn : Bigint.t -> Bigint.t -> Bigint.t

val nat_of_bool : bool -> Bigint.t

val odd0 : Bigint.t -> bool

val double_rec : Bigint.t -> Bigint.t

val double0 : Bigint.t -> Bigint.t

val half : Bigint.t -> Bigint.t

val uphalf : Bigint.t -> Bigint.t

val size0 : 'a1 list -> Bigint.t

val nilp : 'a1 list -> bool

val ohead : 'a1 list -> 'a1 option

val head : 'a1 -> 'a1 list -> 'a1

val behead : 'a1 list -> 'a1 list

val ncons : Bigint.t -> 'a1 -> 'a1 list -> 'a1 list

val nseq : Bigint.t -> 'a1 -> 'a1 list

val cat : 'a1 list -> 'a1 list -> 'a1 list

val rcons : 'a1 list -> 'a1 -> 'a1 list

val last : 'a1 -> 'a1 list -> 'a1

val nth : 'a1 -> 'a1 list -> Bigint.t -> 'a1

val find : 'a1 pred0 -> 'a1 list -> Bigint.t

val filter : 'a1 pred0 -> 'a1 list -> 'a1 list

val count : 'a1 pred0 -> 'a1 list -> Bigint.t

val has : 'a1 pred0 -> 'a1 list -> bool

val all : 'a1 pred0 -> 'a1 list -> bool

val drop : Bigint.t -> 'a1 list -> 'a1 list

val take : Bigint.t -> 'a1 list -> 'a1 list

val catrev : 'a1 list -> 'a1 list -> 'a1 list

val rev : 'a1 list -> 'a1 list

val eqseq :
  Equality.coq_type -> Equality.sort list -> Equality.sort list -> bool

val eqseqP : Equality.coq_type -> Equality.sort list Equality.axiom

val seq_eqMixin : Equality.coq_type -> Equality.sort list Equality.mixin_of

val seq_eqType : Equality.coq_type -> Equality.coq_type

val mem_seq : Equality.coq_type -> Equality.sort list -> Equality.sort -> bool

type seq_eqclass = Equality.sort list

val pred_of_seq : Equality.coq_type -> seq_eqclass -> Equality.sort pred_sort

val seq_predType : Equality.coq_type -> Equality.sort predType

val uniq : Equality.coq_type -> Equality.sort list -> bool

val undup : Equality.coq_type -> Equality.sort list -> Equality.sort list

val index :
  Equality.coq_type -> Equality.sort -> Equality.sort list -> Bigint.t

val perm_eq :
  Equality.coq_type -> Equality.sort list -> Equality.sort list -> bool

val rem :
  Equality.coq_type -> Equality.sort -> Equality.sort list -> Equality.sort
  list

val map0 : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val pmap : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list

val iota : Bigint.t -> Bigint.t -> Bigint.t list

val mkseq : (Bigint.t -> 'a1) -> Bigint.t -> 'a1 list

val foldr : ('a1 -> 'a2 -> 'a2) -> 'a2 -> 'a1 list -> 'a2

val sumn : Bigint.t list -> Bigint.t

val foldl : ('a2 -> 'a1 -> 'a2) -> 'a2 -> 'a1 list -> 'a2

val zip : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val unzip1 : ('a1 * 'a2) list -> 'a1 list

val unzip2 : ('a1 * 'a2) list -> 'a2 list

val flatten : 'a1 list list -> 'a1 list

val pairwise : ('a1 -> 'a1 -> bool) -> 'a1 list -> bool

module CodeSeq :
 sig
  val code : Bigint.t list -> Bigint.t

  val decode_rec : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list

  val decode : Bigint.t -> Bigint.t list
 end

val seq_of_opt : 'a1 option -> 'a1 list

val tag_of_pair : ('a1 * 'a2) -> ('a1, 'a2) sigT

val pair_of_tag : ('a1, 'a2) sigT -> 'a1 * 'a2

val opair_of_sum : ('a1, 'a2) sum -> 'a1 option * 'a2 option

val sum_of_opair : ('a1 option * 'a2 option) -> ('a1, 'a2) sum option

module Choice :
 sig
  type 't mixin_of =
    't pred0 -> Bigint.t -> 't option
    (* singleton inductive, whose constructor was Mixin *)

  val find : 'a1 mixin_of -> 'a1 pred0 -> Bigint.t -> 'a1 option

  type 't class_of = { base : 't Equality.mixin_of; mixin : 't mixin_of }

  val base : 'a1 class_of -> 'a1 Equality.mixin_of

  val mixin : 'a1 class_of -> 'a1 mixin_of

  type coq_type =
    __ class_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  val coq_class : coq_type -> sort class_of

  val pack :
    'a1 mixin_of -> 'a1 Equality.mixin_of -> Equality.coq_type -> coq_type

  val eqType : coq_type -> Equality.coq_type

  module InternalTheory :
   sig
    val find : coq_type -> sort pred0 -> Bigint.t -> sort option
   end
 end

val pcanChoiceMixin :
  Choice.coq_type -> ('a1 -> Choice.sort) -> (Choice.sort -> 'a1 option) ->
  'a1 Choice.mixin_of

val canChoiceMixin :
  Choice.coq_type -> ('a1 -> Choice.sort) -> (Choice.sort -> 'a1) -> 'a1
  Choice.mixin_of

val seq_choiceMixin : Choice.coq_type -> Choice.sort list Choice.mixin_of

val seq_choiceType : Choice.coq_type -> Choice.coq_type

val tagged_choiceMixin :
  Choice.coq_type -> (Choice.sort -> Choice.coq_type) -> (Choice.sort,
  Choice.sort) sigT Choice.mixin_of

val tagged_choiceType :
  Choice.coq_type -> (Choice.sort -> Choice.coq_type) -> Choice.coq_type

val nat_choiceMixin : Bigint.t Choice.mixin_of

val nat_choiceType : Choice.coq_type

val option_choiceMixin : Choice.coq_type -> Choice.sort option Choice.mixin_of

val option_choiceType : Choice.coq_type -> Choice.coq_type

val prod_choiceMixin :
  Choice.coq_type -> Choice.coq_type -> (Choice.sort * Choice.sort)
  Choice.mixin_of

val prod_choiceType : Choice.coq_type -> Choice.coq_type -> Choice.coq_type

val sum_choiceMixin :
  Choice.coq_type -> Choice.coq_type -> (Choice.sort, Choice.sort) sum
  Choice.mixin_of

val sum_choiceType : Choice.coq_type -> Choice.coq_type -> Choice.coq_type

module Countable :
 sig
  type 't mixin_of = { pickle : ('t -> Bigint.t);
                       unpickle : (Bigint.t -> 't option) }

  val pickle : 'a1 mixin_of -> 'a1 -> Bigint.t

  val unpickle : 'a1 mixin_of -> Bigint.t -> 'a1 option

  val coq_ChoiceMixin : 'a1 mixin_of -> 'a1 Choice.mixin_of

  type 't class_of = { base : 't Choice.class_of; mixin : 't mixin_of }

  val base : 'a1 class_of -> 'a1 Choice.class_of

  val mixin : 'a1 class_of -> 'a1 mixin_of

  type coq_type =
    __ class_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  val coq_class : coq_type -> sort class_of

  val choiceType : coq_type -> Choice.coq_type
 end

val unpickle0 : Countable.coq_type -> Bigint.t -> Countable.sort option

val pickle0 : Countable.coq_type -> Countable.sort -> Bigint.t

val pcanCountMixin :
  Countable.coq_type -> ('a1 -> Countable.sort) -> (Countable.sort -> 'a1
  option) -> 'a1 Countable.mixin_of

val canCountMixin :
  Countable.coq_type -> ('a1 -> Countable.sort) -> (Countable.sort -> 'a1) ->
  'a1 Countable.mixin_of

val pickle_seq : Countable.coq_type -> Countable.sort list -> Bigint.t

val unpickle_seq :
  Countable.coq_type -> Bigint.t -> Countable.sort list option

val seq_countMixin :
  Countable.coq_type -> Countable.sort list Countable.mixin_of

val seq_countType : Countable.coq_type -> Countable.coq_type

val pickle_tagged :
  Countable.coq_type -> (Countable.sort -> Countable.coq_type) ->
  (Countable.sort, Countable.sort) sigT -> Bigint.t

val unpickle_tagged :
  Countable.coq_type -> (Countable.sort -> Countable.coq_type) -> Bigint.t ->
  (Countable.sort, Countable.sort) sigT option

val tag_countMixin :
  Countable.coq_type -> (Countable.sort -> Countable.coq_type) ->
  (Countable.sort, Countable.sort) sigT Countable.mixin_of

val tag_countType :
  Countable.coq_type -> (Countable.sort -> Countable.coq_type) ->
  Countable.coq_type

val nat_countMixin : Bigint.t Countable.mixin_of

val nat_countType : Countable.coq_type

val option_countMixin :
  Countable.coq_type -> Countable.sort option Countable.mixin_of

val option_countType : Countable.coq_type -> Countable.coq_type

val prod_countMixin :
  Countable.coq_type -> Countable.coq_type ->
  (Countable.sort * Countable.sort) Countable.mixin_of

val prod_countType :
  Countable.coq_type -> Countable.coq_type -> Countable.coq_type

val sum_countMixin :
  Countable.coq_type -> Countable.coq_type -> (Countable.sort,
  Countable.sort) sum Countable.mixin_of

val sum_countType :
  Countable.coq_type -> Countable.coq_type -> Countable.coq_type

val merge : 'a1 rel -> 'a1 list -> 'a1 list -> 'a1 list

val merge_sort_push : 'a1 rel -> 'a1 list -> 'a1 list list -> 'a1 list list

val merge_sort_pop : 'a1 rel -> 'a1 list -> 'a1 list list -> 'a1 list

val merge_sort_rec : 'a1 rel -> 'a1 list list -> 'a1 list -> 'a1 list

val sort0 : 'a1 rel -> 'a1 list -> 'a1 list

val edivn_rec : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t * Bigint.t

val edivn : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t

val divn : Bigint.t -> Bigint.t -> Bigint.t

val modn_rec : Bigint.t -> Bigint.t -> Bigint.t

val modn : Bigint.t -> Bigint.t -> Bigint.t

val quick_mod : Bigint.t -> Bigint.t -> Bigint.t

val limit : Bigint.t

val toZ : Bigint.word -> Bigint.t

val ofZ : Bigint.t -> Bigint.word

val muladd : Bigint.word -> Bigint.word -> Bigint.word -> Bigint.word

val sub0 : Bigint.word -> Bigint.word -> Bigint.word

val rem0 : Bigint.word -> Bigint.word -> Bigint.word

val is_odd : Bigint.word -> bool

val halved : Bigint.word -> Bigint.word

val is_zero : Bigint.word -> bool

val is_one : Bigint.word -> bool

val zero : Bigint.word

val one_word : Bigint.word

val residues : Bigint.t -> Bigint.t list -> Bigint.word list

val mulmod : Bigint.word -> Bigint.word -> Bigint.word -> Bigint.word

val squares : Bigint.word -> Bigint.word -> Bigint.t -> Bigint.word list

val pow0 :
  Bigint.word -> Bigint.word list -> Bigint.word -> Bigint.word -> Bigint.word

val inverse : Bigint.word -> Bigint.word -> Bigint.word option

val scaled_words :
  Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list

module GRing :
 sig
  module Zmodule :
   sig
    type 'v mixin_of = { zero : 'v; opp : ('v -> 'v); add : ('v -> 'v -> 'v) }

    val zero : 'a1 mixin_of -> 'a1

    val opp : 'a1 mixin_of -> 'a1 -> 'a1

    val add : 'a1 mixin_of -> 'a1 -> 'a1 -> 'a1

    type 't class_of = { base : 't Choice.class_of; mixin : 't mixin_of }

    val mixin : 'a1 class_of -> 'a1 mixin_of

    type coq_type =
      __ class_of
      (* singleton inductive, whose constructor was Pack *)

    type sort = __

    val coq_class : coq_type -> sort class_of

    val pack :
      'a1 mixin_of -> Choice.coq_type -> 'a1 Choice.class_of -> coq_type
   end

  val zero : Zmodule.coq_type -> Zmodule.sort

  val opp : Zmodule.coq_type -> Zmodule.sort -> Zmodule.sort

  val add : Zmodule.coq_type -> Zmodule.sort -> Zmodule.sort -> Zmodule.sort

  val natmul : Zmodule.coq_type -> Zmodule.sort -> Bigint.t -> Zmodule.sort

  module Ring :
   sig
    type mixin_of = { one : Zmodule.sort;
                      mul : (Zmodule.sort -> Zmodule.sort -> Zmodule.sort) }

    val one : Zmodule.coq_type -> mixin_of -> Zmodule.sort

    val mul :
      Zmodule.coq_type -> mixin_of -> Zmodule.sort -> Zmodule.sort ->
      Zmodule.sort

    type 'r class_of = { base : 'r Zmodule.class_of; mixin : mixin_of }

    val base : 'a1 class_of -> 'a1 Zmodule.class_of

    val mixin : 'a1 class_of -> mixin_of

    type coq_type =
      __ class_of
      (* singleton inductive, whose constructor was Pack *)

    type sort = __

    val coq_class : coq_type -> sort class_of

    val pack :
      'a1 Zmodule.class_of -> mixin_of -> Zmodule.coq_type -> 'a1
      Zmodule.class_of -> mixin_of -> coq_type

    val zmodType : coq_type -> Zmodule.coq_type
   end

  val one : Ring.coq_type -> Ring.sort

  val mul : Ring.coq_type -> Ring.sort -> Ring.sort -> Ring.sort
 end

type int =
| Posz of Bigint.t
| Negz of Bigint.t

val natsum_of_int : int -> (Bigint.t, Bigint.t) sum

val int_of_natsum : (Bigint.t, Bigint.t) sum -> int

val int_eqMixin : int Equality.mixin_of

val int_countMixin : int Countable.mixin_of

val int_choiceMixin : int Choice.mixin_of

val int_eqType : Equality.coq_type

val int_choiceType : Choice.coq_type

val int_of_Z : Bigint.t -> int

val z_of_int : int -> Bigint.t

module ZInstances :
 sig
  val eqZP : Bigint.t Equality.axiom

  val coq_Z_eqType : Equality.coq_type

  val coq_Z_choiceType : Choice.coq_type

  val coq_Z_zmodMixin : Bigint.t GRing.Zmodule.mixin_of

  val coq_Z_zmodType : GRing.Zmodule.coq_type

  val coq_Z_ringMixin : GRing.Ring.mixin_of

  val coq_Z_ringType : GRing.Ring.coq_type
 end

val ent : Bigint.t list list -> Bigint.t -> Bigint.t -> Bigint.t

val dot : Bigint.t list -> Bigint.t list -> Bigint.t

type scale =
| Rational of Bigint.t * Bigint.t
| InverseRoot of Bigint.t

type projection = { projected_width : Bigint.t;
                    q_projected_queries : Bigint.t;
                    projected_queries : Bigint.t list list list;
                    q_projected_keys : Bigint.t;
                    projected_keys : Bigint.t list list list list }

type layer =
| Factors of Bigint.t * Bigint.t * Bigint.t list list list * Bigint.t
   * Bigint.t list list list * Bigint.t * Bigint.t list list * Bigint.t
   * Bigint.t list list
| Combined of Bigint.t * Bigint.t list list list
| Projected of projection

type whole = { value_width : Bigint.t; output_width : Bigint.t;
               q_value : Bigint.t; value_weights : Bigint.t list list list;
               q_value_bias : Bigint.t; value_bias : Bigint.t list list;
               q_output : Bigint.t; output_weights : Bigint.t list list list;
               q_output_shift : Bigint.t; output_shift : Bigint.t list;
               q_skip : Bigint.t; skip_rows : Bigint.t list list;
               q_readout : Bigint.t; readout_weights : Bigint.t list list;
               q_readout_shift : Bigint.t; readout_shift : Bigint.t list }

type problem = { t : Bigint.t; h : Bigint.t; n : Bigint.t; d : Bigint.t;
                 d_h : Bigint.t; d_v : Bigint.t; d_out : Bigint.t;
                 base_two : bool; logit_scale : scale; q_contexts : Bigint.t;
                 context_rows : (Bigint.t -> Bigint.t list list);
                 q_queries : Bigint.t; queries : Bigint.t list list;
                 given : layer option; q_labels : Bigint.t;
                 labels : Bigint.t list list; around : whole option }

val context_at : problem -> Bigint.t -> Bigint.t list list

val contexts : problem -> Bigint.t list list list

type part = { part_heads : Bigint.t; part_examples : Bigint.t list }

val part_of : problem -> part -> problem

val col : Bigint.t -> Bigint.t list list -> Bigint.t list

val powmod : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

val invmod : Bigint.t -> Bigint.t -> Bigint.t option

val submul :
  Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list

val pick_row :
  Bigint.t -> Bigint.t list list -> (Bigint.t list * Bigint.t list list)
  option

val free_exact : Bigint.t -> Bigint.t -> Bigint.t list list -> bool

val fits_word : Bigint.t -> Bigint.t -> bool

val normal :
  Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list

val unrow : Bigint.word array -> Bigint.word list

val reduce_rows :
  Bigint.word -> Bigint.word array list -> Bigint.word array ->
  Bigint.word array

val insert_row :
  Bigint.word -> Bigint.word array list -> Bigint.word array option list ->
  Bigint.word array -> Bigint.word array option list option

val eliminate_rows :
  Bigint.word -> Bigint.word array option list -> Bigint.word array list ->
  bool

val free_mod : Bigint.t -> Bigint.t -> Bigint.t list list -> bool

val ceil_div : Bigint.t -> Bigint.t -> Bigint.t

val two_power : Bigint.t -> Bigint.t

val shift_down : Bigint.t -> Bigint.t -> Bigint.t

val shift_up : Bigint.t -> Bigint.t -> Bigint.t

type precision = { binary_point : Bigint.t; guard : Bigint.t }

val finest : precision -> Bigint.t

val denominator : precision -> Bigint.t

val fine : precision -> Bigint.t

val precision_of : Bigint.t -> precision

val times_fixed :
  Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
  Bigint.t * Bigint.t

val small_power :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t * Bigint.t

val table :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
  (Bigint.t * Bigint.t) list

val pick :
  (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) list -> Bigint.t ->
  Bigint.t * Bigint.t

val by_width : (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val by_ends : (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

type digit = { digit_shift : Bigint.t; digit_step : Bigint.t;
               digit_powers : (Bigint.t * Bigint.t) list }

val digits_from :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) ->
  digit list -> digit list

val squared :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val digits_of : precision -> digit list

val times_by_width :
  Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
  Bigint.t * Bigint.t

val exp_by_width :
  Bigint.t -> Bigint.t -> Bigint.t -> digit list -> Bigint.t ->
  Bigint.t * Bigint.t

val exp_by :
  Bigint.t -> Bigint.t -> Bigint.t -> digit list -> Bigint.t ->
  Bigint.t * Bigint.t

val log_two_guess : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

val log_two : precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t

val square_root : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t

type unit_bounds = { unit_low : Bigint.t; unit_high : Bigint.t;
                     unit_shift : Bigint.t; digits : digit list;
                     unit_steps : Bigint.t option }

val unit_of :
  precision -> Bigint.t -> bool -> Bigint.t -> Bigint.t -> unit_bounds

val maximum : Bigint.t list -> Bigint.t

val total_of : Bigint.t list -> Bigint.t

val exact_power :
  precision -> Bigint.t -> unit_bounds -> Bigint.t -> Bigint.t option

val rounded_power :
  precision -> Bigint.t -> Bigint.t -> Bigint.t -> unit_bounds -> Bigint.t ->
  Bigint.t * Bigint.t

val power :
  precision -> Bigint.t -> Bigint.t -> Bigint.t -> unit_bounds -> Bigint.t ->
  Bigint.t * Bigint.t

val alphas :
  precision -> unit_bounds -> Bigint.t list -> (Bigint.t * Bigint.t) list

val scaled_enclosure :
  Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val plus :
  (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val add_multiple :
  (Bigint.t * Bigint.t) -> Bigint.t list -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list

val times_rows :
  Bigint.t -> (Bigint.t * Bigint.t) list -> Bigint.t list list ->
  (Bigint.t * Bigint.t) list

val add_rows :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t)
  list -> (Bigint.t * Bigint.t) list

val exact_row : Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t) list

type 'q expr =
| Const of Bigint.t
| Qty of 'q
| Add of 'q expr * 'q expr
| Sub of 'q expr * 'q expr
| Mul of 'q expr * 'q expr
| Div of 'q expr * 'q expr
| Min of 'q expr * 'q expr
| Max of 'q expr * 'q expr

type 'q comparison0 =
| AtLeast of 'q expr * 'q expr
| AtMost of 'q expr * 'q expr
| Equal of 'q expr * 'q expr
| Both of 'q comparison0 * 'q comparison0
| Decided of 'q expr

type interval = Bigint.t option * Bigint.t option

val exactly : Bigint.t -> interval

val lift2 :
  (Bigint.t -> Bigint.t -> Bigint.t) -> Bigint.t option -> Bigint.t option ->
  Bigint.t option

val either :
  (Bigint.t -> Bigint.t -> Bigint.t) -> Bigint.t option -> Bigint.t option ->
  Bigint.t option

val times : interval -> interval -> interval

val quotient : interval -> interval -> interval

val range : ('a1 -> interval) -> 'a1 expr -> interval

val at_least : interval -> interval -> bool option

val and3 : bool option -> bool option -> bool option

val decide : ('a1 -> interval) -> 'a1 comparison0 -> bool option

type labelling =
| IntegerLabels
| TranscendentalLabels
| GivenLabels

type arguments = { neurons : Bigint.t; output_bias : bool;
                   q_matrices : Bigint.t; matrix_a : Bigint.t list list;
                   matrix_b : Bigint.t list list;
                   matrix_c : Bigint.t list list;
                   row_vectors : Bigint.t list list; shift_num : Bigint.t;
                   shift_den : Bigint.t; subset : Bigint.t list;
                   q_coefficients : Bigint.t;
                   coefficients : Bigint.t list list; example : Bigint.t;
                   q_star : Bigint.t; w_star : Bigint.t list list;
                   q_prime : Bigint.t; w_prime : Bigint.t list list;
                   epsilon_num : Bigint.t; epsilon_den : Bigint.t;
                   only_head : Bigint.t option;
                   classes : Bigint.t list option; added_query : bool;
                   at_lambda : (Bigint.t * Bigint.t) option;
                   values : Bigint.t list; sequences : Bigint.t list list }

type truth =
| NetworkFits of labelling
| SmallPerturbation
| Separates
| VertexLimit
| Prescribed
| OneHot
| ReadOut
| MemorizesAll
| MemorizesAllSkip
| MemorizesGiven
| LayerFits of bool
| WhichExamples of Bigint.t list * (Bigint.t * Bigint.t list) list
| MemorizesBias

val equal_row : Bigint.t list -> Bigint.t list -> bool

val equal_rows : Bigint.t list list -> Bigint.t list list -> bool

val shared : problem -> bool

val width : Bigint.t list list -> Bigint.t

val wf_matrix : Bigint.t list list -> bool

val varying : problem -> Bigint.t

val before : arguments -> Bigint.t -> Bigint.t -> bool

val columns : Bigint.t -> Bigint.t list list -> Bigint.t list list

type literal_head =
| FactorHead of Bigint.t list list * Bigint.t list list * Bigint.t list
| CombinedHead of Bigint.t list list
| ProjectedHead of Bigint.t

val prepare : layer -> Bigint.t -> literal_head

val prepared : problem -> layer -> literal_head list

val vector_den : problem -> layer -> Bigint.t

val add_bias : Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list

val raw_vector :
  problem -> layer -> literal_head -> Bigint.t list -> Bigint.t list

val raw_logits : problem -> layer -> literal_head -> Bigint.t -> Bigint.t list

val raw_den : problem -> layer -> Bigint.t

val projects : layer -> bool

val scale_num : problem -> bool -> Bigint.t

val scale_den : problem -> bool -> Bigint.t

val root : problem -> bool -> Bigint.t

val total_den : problem -> layer -> bool -> Bigint.t

val exponents :
  problem -> layer -> bool -> literal_head -> Bigint.t -> Bigint.t list

val wf_problem : problem -> bool

val wf_layer : problem -> layer -> bool

val begins : Bigint.t list list -> Bigint.t list list -> bool

val period_from :
  Bigint.t list list -> Bigint.t list list -> Bigint.t -> Bigint.t list list

val period : Bigint.t list list -> Bigint.t list list

val counted : arguments -> Bigint.t -> bool

type layer_name = Bigint.t option

type matrix =
| Queries
| Tokens
| AffineTokens
| Differences
| Exponents
| MatrixA
| MatrixB
| MatrixC
| Block
| RowVectors
| Shifted
| SubsetQueries

type family =
| AllContexts
| MixedContexts
| SubsetContexts

type blocks =
| WithOnes of bool
| OneHead of bool
| Outputs of bool * bool

type quantity =
| Examples
| Heads
| Context
| Dimension
| HeadDimension
| ValueDimension
| OutputDimension
| LeastRank
| Asked
| RankOf of matrix
| RankContexts
| RankMixedContexts
| RankSubsetContexts
| RankEncoding
| RankZ of layer_name
| RankWithLabels
| DistinctOutputs
| RankAny
| Capacity
| TailRank
| LambdaRank
| CapacityOf of part
| PartExamples of part
| PartHeads of part
| Outside of part
| LargestRank
| Kruskal of bool
| DistinctContexts
| DistinctTokens
| DistinctExamples
| DistinctLabelled
| DistinctSums
| InShape of layer_name
| DistinctHeads of layer_name
| MovingHeads of layer_name
| Neurons
| OutputBias
| SizeSubset
| RowsOfVectors
| Varying
| Fractions
| OffMomentCurve
| EqualEntries
| Truth of truth
| Saturated
| LargeSingularValues
| Accurate
| RankJ of layer_name * Bigint.t list list option
| FunctionalDimension
| EmbeddedCapacity
| GenericOutputs
| Spread of Bigint.t list list
| SumsOfWords of Bigint.t list list
| RankBlocks of blocks
| OnlyHead
| ValueBiases
| LabelEntries of bool

type question =
| IsValue
| IsAtLeast
| IsAtMost
| IsOpen

type claim = { asks : question; asked : Bigint.t; args : arguments }

val distinct_after : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list -> 'a1 list

val distinct : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list

val all_tokens : problem -> Bigint.t list list

val tokens : problem -> Bigint.t list list

val affine_tokens : problem -> Bigint.t list list

val differences : problem -> Bigint.t list list

val total : Bigint.t list -> Bigint.t

val fractions : problem -> Bigint.t

val equal_pairs : Bigint.t list -> Bigint.t

val image_entries : problem -> Bigint.t list list -> Bigint.t -> Bigint.t list

val separated_entries : problem -> arguments -> Bigint.t list

val counted_in_data : problem -> quantity -> Bigint.t option

val quantity_dec : quantity -> quantity -> bool

val equal_example :
  (Bigint.t list list * Bigint.t list) -> (Bigint.t list list * Bigint.t
  list) -> bool

val leq_row : Bigint.t list -> Bigint.t list -> bool

val sorted_rows : Bigint.t list list -> Bigint.t list list

val example_key : problem -> Bigint.t -> Bigint.t list list * Bigint.t list

val distinct_examples : problem -> (Bigint.t list list * Bigint.t list) list

val good_part : problem -> part -> bool

val outside : problem -> part -> (Bigint.t list list * Bigint.t list) list

val equal_labelled :
  ((Bigint.t list list * Bigint.t list) * Bigint.t list) -> ((Bigint.t list
  list * Bigint.t list) * Bigint.t list) -> bool

val labelled_example :
  problem -> Bigint.t -> (Bigint.t list list * Bigint.t list) * Bigint.t list

val reduced : Bigint.t list -> Bigint.t list

val head_logits : problem -> layer -> literal_head -> Bigint.t list list

val constant_rows : Bigint.t list list -> bool

val distinct_heads : problem -> layer -> Bigint.t list list list

val in_shape : problem -> layer -> bool

val on_curve : Bigint.t -> Bigint.t -> Bigint.t list -> bool

val off_curve :
  Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t

type vertex = Bigint.t * Bigint.t list

val words_of : Bigint.t list list -> Bigint.t list

val shift : Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list

val join :
  Bigint.t list -> (vertex list * vertex list) ->
  ((Bigint.t * Bigint.t) * Bigint.t list) -> vertex list * vertex list

val edges :
  problem -> Bigint.t list list -> ((Bigint.t * Bigint.t) * Bigint.t list)
  list

val joined : problem -> Bigint.t list list -> vertex list * vertex list

val spread : problem -> Bigint.t list list -> Bigint.t

val sums_of_words : problem -> Bigint.t list list -> bool

val label_entries : problem -> bool -> Bigint.t

val computed :
  problem -> (layer_name -> (layer * bool) option) -> quantity -> Bigint.t
  option

val wf_sizes : problem -> bool

val up_to : Bigint.t -> interval

val exactly_nat : Bigint.t -> interval

val most_of_J : problem -> Bigint.t

val most_of_blocks : problem -> blocks -> Bigint.t

val natural :
  problem -> (layer_name -> (layer * bool) option) -> claim -> quantity ->
  interval

val draws :
  Bigint.word -> Bigint.t -> Bigint.word -> Bigint.word -> Bigint.word list

val random_columns :
  Bigint.word -> Bigint.t -> Bigint.t -> Bigint.word -> Bigint.word list list

val product :
  Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list ->
  Bigint.word

val coordinates :
  Bigint.word -> Bigint.word list list -> Bigint.word list list ->
  Bigint.word list list

val normalized :
  Bigint.word -> Bigint.word -> Bigint.word list list ->
  (Bigint.word * Bigint.word list list) option

val sums_of : Bigint.word list -> Bigint.word list -> Bigint.word list

val times_differences :
  Bigint.word -> (Bigint.word -> Bigint.word list list -> Bigint.word) ->
  Bigint.t -> Bigint.word -> Bigint.word list -> Bigint.word list list ->
  Bigint.word

val each :
  (Bigint.word -> Bigint.word list -> Bigint.word list list -> Bigint.word)
  -> Bigint.word -> Bigint.word list list -> Bigint.word

val subsets_product :
  Bigint.word -> Bigint.t -> Bigint.word -> Bigint.word list list ->
  Bigint.word

val subsets_words :
  Bigint.word -> Bigint.t -> Bigint.t -> Bigint.word list list -> bool

val gaps : Bigint.t -> Bigint.t list -> Bigint.t list option

val at_gaps : 'a1 -> 'a1 list -> Bigint.t list -> 'a1 list

val members_at :
  'a1 -> Bigint.t list -> Bigint.t list option -> 'a1 list -> 'a1 list

val minor_rows_ok :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list ->
  Bigint.t list -> bool

val combination :
  Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list

val independent_mod : Bigint.t -> Bigint.t -> Bigint.t list list -> bool

val right_zero_ok :
  Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list -> bool

val left_zero_ok :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list
  list -> bool

val pivot_mod : Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t list) option

val subsets_mod : Bigint.t -> Bigint.t -> Bigint.t list list -> bool

val subsets_moduli : Bigint.t list

val subsets_at :
  Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t -> bool

val subsets_first :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list ->
  bool

val subsets_ok :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> bool

val kruskal_ok :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> bool

val dot_from :
  Bigint.word -> Bigint.word list -> Bigint.word list -> Bigint.word

val dotmod :
  Bigint.word -> Bigint.word list -> Bigint.word list -> Bigint.word

val word_bias :
  Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list ->
  Bigint.word list

type word_head =
| FactorWords of Bigint.word list list * Bigint.word list list
   * Bigint.word list
| CombinedWords of Bigint.word list list

val head_words : Bigint.t -> literal_head -> word_head

type word_layer = { word_order : Bigint.word; of_queries : Bigint.word;
                    of_bias : Bigint.word; of_logits : Bigint.word }

val layer_words : problem -> layer -> bool -> Bigint.t -> word_layer

val word_vector :
  word_layer -> word_head -> Bigint.word list -> Bigint.word list

val word_exponents :
  word_layer -> word_head -> Bigint.word list -> Bigint.word list list ->
  Bigint.word list

val layer_width : problem -> layer -> Bigint.t

val root_power : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

val order_ok : Bigint.t -> Bigint.t -> Bigint.t -> bool

val wsum : Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list

val sum_mod : Bigint.t -> Bigint.t list -> Bigint.t

val block_of :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list ->
  Bigint.t list option

val all_some : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list option

val eliminate_each :
  ('a1 -> Bigint.t list option) -> Bigint.t -> Bigint.word array option list
  -> 'a1 list -> bool

val free_rows :
  Bigint.t -> Bigint.t -> ('a1 -> Bigint.t list option) -> 'a1 list -> bool

val onto : Bigint.word list -> Bigint.word list list -> Bigint.word list list

val word_columns : Bigint.t -> Bigint.word list list -> Bigint.word list list

val sum_words : Bigint.word -> Bigint.word list -> Bigint.word

val block_words :
  Bigint.word -> Bigint.word list -> Bigint.word list list -> Bigint.word
  list -> Bigint.word list option

type reader =
| Exactly of literal_head list
| Modulo of Bigint.word * Bigint.word list * word_layer * word_head list
   * (Bigint.word list list * Bigint.word list list) option

val token_words :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.word list
  list * Bigint.word list list

val reader_of :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t ->
  reader

val blocks_mod :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> reader ->
  Bigint.t -> Bigint.t list list option

val residue_ok : problem -> layer -> bool -> Bigint.t -> Bigint.t -> bool

val word_nth : 'a1 -> 'a1 list -> Bigint.word -> 'a1

val column_words :
  (Bigint.t * Bigint.t) list -> (Bigint.word * Bigint.word) list option

val entries_at :
  (Bigint.t * Bigint.t) list -> (Bigint.word * Bigint.word) list option ->
  Bigint.t list list -> Bigint.t list

val heads_in : (Bigint.t * Bigint.t) list -> Bigint.t

val minor_Z_ok :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
  list -> (Bigint.t * Bigint.t) list -> bool

val add_sums :
  ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> ('a1 * Bigint.t) list ->
  ('a1 * Bigint.t) list -> ('a1 * Bigint.t) list

val times_term :
  ('a1 -> 'a1 -> 'a1) -> ('a1 * Bigint.t) -> ('a1 * Bigint.t) list ->
  ('a1 * Bigint.t) list

val mul_sums :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
  (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> ('a1 * Bigint.t) list
  -> ('a1 * Bigint.t) list -> ('a1 * Bigint.t) list

val weighted :
  ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> (('a1 * Bigint.t) list ->
  ('a1 * Bigint.t) list) -> 'a1 list -> Bigint.t list -> ('a1 * Bigint.t) list

val vanishes : ('a1 * Bigint.t) list -> bool

type 'x fraction_vector = ('x * Bigint.t) list list * ('x * Bigint.t) list

val add_fractions :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
  (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> 'a1 fraction_vector ->
  'a1 fraction_vector -> 'a1 fraction_vector

val sum_fractions :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1
  -> (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t -> 'a1
  fraction_vector list -> 'a1 fraction_vector

val softmax_denominator :
  ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> (('a1 * Bigint.t) list ->
  ('a1 * Bigint.t) list) -> 'a1 list -> ('a1 * Bigint.t) list

val block_fractions :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
  (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t ->
  ('a1 * Bigint.t) list -> 'a1 list -> Bigint.t list list -> 'a1
  fraction_vector

val block_times :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
  (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t ->
  ('a1 * Bigint.t) list list -> 'a1 list -> Bigint.t list list -> 'a1
  fraction_vector

val left_identity :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1
  -> (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t -> Bigint.t
  -> ('a1 * Bigint.t) list list -> (Bigint.t -> 'a1 list) -> (Bigint.t ->
  Bigint.t list list) -> bool

val right_identity :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1
  -> (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t -> Bigint.t
  -> ('a1 * Bigint.t) list list list -> (Bigint.t -> 'a1 list) -> (Bigint.t
  -> Bigint.t list list) -> bool

val power_of_two : Bigint.t -> Bigint.t

val reduce_power : Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val collect_powers :
  problem -> layer -> bool -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list

val least_0 : Bigint.t list -> Bigint.t list

val left_zero_Z :
  problem -> layer -> bool -> (Bigint.t * Bigint.t) list list -> bool

val right_zero_Z :
  problem -> layer -> bool -> (Bigint.t * Bigint.t) list list list -> bool

val residue_of :
  Bigint.t -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list -> Bigint.t

val independent_sums :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t ->
  (Bigint.t * Bigint.t) list list list -> bool

val left_zero_Z_ok :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
  (Bigint.t * Bigint.t) list list list -> bool

val right_zero_Z_ok :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
  (Bigint.t * Bigint.t) list list list list -> bool

val left_zero_rows :
  problem -> layer -> bool -> Bigint.t -> (Bigint.t -> Bigint.t list) ->
  (Bigint.t * Bigint.t) list list -> bool

val left_zero_labels :
  problem -> layer -> bool -> (Bigint.t * Bigint.t) list list -> bool

val outer : Bigint.t list -> Bigint.t list -> Bigint.t list

val plus_row : Bigint.t list -> Bigint.t list -> Bigint.t list

val less_row : Bigint.t list -> Bigint.t list -> bool

val constant_sum : Bigint.t -> (Bigint.t list * Bigint.t) list

val zero_capacity_ok : problem -> Bigint.t -> Bigint.t list list -> bool

val scaled : Bigint.t -> Bigint.t list -> Bigint.t list

val sum_rows : Bigint.t -> Bigint.t list list -> Bigint.t list

val block_rows :
  Bigint.t list list -> Bigint.t list list -> Bigint.t list list -> Bigint.t
  list list

val shifted_rows :
  Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list

val literal_exponents : problem -> Bigint.t list list

val literal_rows :
  problem -> arguments -> matrix -> (Bigint.t * Bigint.t) * Bigint.t list list

val well_shaped : arguments -> matrix -> bool

val mixed_rows : problem -> Bigint.t list list -> Bigint.t list list

val members : problem -> arguments -> family -> Bigint.t list list list

val least_rank_of : family -> quantity

val literal_vectors : problem -> bool -> Bigint.t list list

val one_integer : Bigint.t -> Bigint.t list -> Bigint.t

val row_from :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list

val absolute_sum : Bigint.t list -> Bigint.t

val largest_entry : Bigint.t list list -> Bigint.t

val largest_sum : Bigint.t list list -> Bigint.t

val digit_bits : Bigint.t -> Bigint.t list list -> Bigint.t

val few_columns :
  Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list ->
  Bigint.t list list

val columns_of_piece : Bigint.t -> Bigint.t

val by_pieces :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list ->
  Bigint.t list list -> Bigint.t list list

val combinations :
  Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t list list

val turned : Bigint.t -> Bigint.t list list -> Bigint.t list list

val all_dots :
  Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t list list

val signed_sums : Bigint.t -> Bigint.t list list -> (Bigint.t * Bigint.t) list

val widest : (Bigint.t * Bigint.t) list -> Bigint.t

val all_times :
  Bigint.t -> (Bigint.t * Bigint.t) list list -> Bigint.t list list ->
  (Bigint.t * Bigint.t) list list

type statement =
| Rank
| Memorizes
| Injective
| CapacityQuestion
| KruskalQuestion
| GeneralPosition
| Assumption1_
| Assumption2_
| Assumption3_
| AffineHullBound
| Proposition1
| Proposition2
| Proposition5
| Theorem1
| Remark1
| SkipConnection
| AnyCoefficientsQuestion
| Lemma1
| Lemma2
| Lemma5
| Proposition3 of labelling
| Proposition4
| PositionalEncoding
| Lemma3
| Lemma4
| Claim1
| Claim2
| FiniteLambda of bool
| Saturation
| NumericalRank
| Accuracy
| Memorizable
| JacobianRank
| FunctionalDimensionQuestion
| UnfittableLabels of bool
| WordsAndPositions
| InjectiveAlmostSurely
| WhichQuestion of Bigint.t list * (Bigint.t * Bigint.t list) list
| RankOfBlocks of blocks
| MemorizesBiased
| OutputMemorizes of bool
| MatrixRank
| ReluMemorizes

val network_examples : quantity comparison0

val least_n_T : quantity expr

val assumption_1 : quantity comparison0

val assumption_2 : quantity comparison0

val claim_1_hypotheses : quantity comparison0 list

val claim_2_hypotheses : quantity comparison0 list

val lemma_4_hypotheses : quantity comparison0 list

val assumption_3 : quantity comparison0

val paper_bound : quantity expr -> quantity expr

val transcendence_degree : quantity expr

val unfittable_examples : quantity comparison0

val hypotheses : statement -> quantity comparison0 list

val answer : question -> quantity -> quantity comparison0

val conclusion : statement -> question -> quantity comparison0

type verdict =
| Verified of bool
| Refuted
| Inapplicable
| Undecided

val given_layer : problem -> layer_name -> (layer * bool) option

type paper_theorem =
| MomentCurve
| IntegerLabelling
| TranscendentalLabelling
| VandermondeEncoding
| ZeroEncoding
| UnfittableOutputs of bool

val paper_conditions : paper_theorem -> quantity comparison0 list

val paper_bounded : paper_theorem -> (quantity * bool) * quantity expr

val paper_proved : problem -> arguments -> paper_theorem -> bool

val source_heads : problem -> literal_head list

val source_exponents :
  problem -> literal_head list -> Bigint.t -> Bigint.t -> Bigint.t list

val token_key :
  problem -> layer -> literal_head -> Bigint.t list -> Bigint.t
  list * Bigint.t

val short_columns : problem -> literal_head -> bool

val each_exponents : problem -> literal_head list -> Bigint.t list list list

val source_table : problem -> Bigint.t list list list

val source_den : problem -> Bigint.t

val wf_source : problem -> bool

val unit_at : problem -> precision -> Bigint.t -> unit_bounds

val attention_table :
  problem -> Bigint.t -> (Bigint.t * Bigint.t) list list list

val coefficients_at :
  (Bigint.t * Bigint.t) list list list -> Bigint.t -> Bigint.t ->
  (Bigint.t * Bigint.t) list

val exceeds : arguments -> Bigint.t -> (Bigint.t * Bigint.t) -> bool

val stays : arguments -> Bigint.t -> (Bigint.t * Bigint.t) -> bool

val count_pairs : problem -> (Bigint.t -> Bigint.t -> bool) -> Bigint.t

val pairs_found :
  problem -> arguments -> (Bigint.t * Bigint.t) list list list -> bool ->
  Bigint.t -> Bigint.t

val pairs_counted : problem -> arguments -> Bigint.t

val count_pairs_ok :
  problem -> arguments -> (Bigint.t * Bigint.t) list list list -> bool ->
  Bigint.t -> Bigint.t -> bool

val means_of :
  problem -> (Bigint.t * Bigint.t) list list list -> Bigint.t ->
  (Bigint.t * Bigint.t) list list

val side_by_side : Bigint.t -> 'a1 list list list -> 'a1 list list

val rounded :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val rounded_Z :
  problem -> (Bigint.t * Bigint.t) list list list -> Bigint.t ->
  (Bigint.t * Bigint.t) list list

val images :
  bool -> Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t
  list list

val form_rows :
  Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list
  list -> Bigint.t list list

val dominant_rows : bool -> Bigint.t list list -> bool

val dominant_ok :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list -> arguments ->
  bool -> Bigint.t -> Bigint.t list list -> bool

val spectrum_ok :
  problem -> arguments -> (Bigint.t * Bigint.t) list list list -> bool ->
  Bigint.t -> Bigint.t list list -> bool

val smaller_side : problem -> Bigint.t

val lowered : Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val iv_times :
  precision -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
  Bigint.t * Bigint.t

val iv_dot :
  precision -> (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list ->
  Bigint.t * Bigint.t

val iv_inverse : precision -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val iv_root : precision -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val table_end : precision -> Bigint.t

val exp_in_table : precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t

val exp_low : precision -> digit list -> Bigint.t -> Bigint.t -> Bigint.t

val exp_high : precision -> digit list -> Bigint.t -> Bigint.t -> Bigint.t

val exp_minus : precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t

val iv_softmax :
  precision -> digit list -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list

val logistic_at : precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t

val iv_logistic :
  precision -> digit list -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val iv_combination :
  precision -> Bigint.t -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list list -> (Bigint.t * Bigint.t) list

val middle : (Bigint.t * Bigint.t) -> Bigint.t

val width_of : (Bigint.t * Bigint.t) -> Bigint.t

val sizes_are : Bigint.t -> Bigint.t -> 'a1 list list -> bool

val defect :
  Bigint.t -> Bigint.t list list -> Bigint.t list -> Bigint.t list ->
  Bigint.t -> Bigint.t list -> Bigint.t

val defects_of :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list -> Bigint.t list ->
  Bigint.t list list -> Bigint.t list

type separated_heads = { tail_width : Bigint.t; tail_qk : Bigint.t;
                         tail_key : Bigint.t list list list;
                         tail_qq : Bigint.t;
                         tail_query : Bigint.t list list list;
                         tail_qu : Bigint.t; tail_u : Bigint.t list list;
                         tail_qv : Bigint.t; tail_v : Bigint.t list list }

type tail_data = { tail_heads : separated_heads; tail_num : Bigint.t;
                   tail_den : Bigint.t; tail_rows : Bigint.t list;
                   tail_cols : Bigint.t list; tail_qi : Bigint.t;
                   tail_inverse : Bigint.t list list;
                   tail_scale : Bigint.t list; tail_tries : Bigint.t }

val tail_alphas :
  precision -> unit_bounds -> Bigint.t -> Bigint.t -> Bigint.t list ->
  Bigint.t list -> (Bigint.t * Bigint.t) list

val tail_layer : separated_heads -> layer

val separator_entries :
  problem -> separated_heads -> Bigint.t -> Bigint.t -> Bigint.t list

val separated_den : problem -> separated_heads -> Bigint.t

val terms_of : separated_heads -> Bigint.t -> Bigint.t

val separating_ok : problem -> separated_heads -> bool

val lambda_key :
  problem -> separated_heads -> Bigint.t -> Bigint.t -> Bigint.t list list
  list

val lambda_query : problem -> separated_heads -> Bigint.t list list list

val lambda_layer : problem -> separated_heads -> Bigint.t -> Bigint.t -> layer

val lambda_minor_ok :
  problem -> separated_heads -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
  -> Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t) list -> bool

val plain_unit : problem -> tail_data -> Bigint.t -> unit_bounds

val tail_unit_den : problem -> tail_data -> Bigint.t

val tail_unit : problem -> tail_data -> Bigint.t -> unit_bounds

val tail_coefficients :
  problem -> tail_data -> Bigint.t -> unit_bounds -> unit_bounds -> Bigint.t
  -> Bigint.t -> (Bigint.t * Bigint.t) list

val tail_s : problem -> Bigint.t -> Bigint.t

val tail_row :
  problem -> tail_data -> Bigint.t -> unit_bounds -> unit_bounds -> Bigint.t
  -> (Bigint.t * Bigint.t) list

val tail_Z :
  problem -> tail_data -> Bigint.t -> (Bigint.t * Bigint.t) list list

val tail_ok_at : problem -> tail_data -> Bigint.t -> bool

val tail_shape : problem -> tail_data -> bool

val shown_at : problem -> tail_data -> Bigint.t -> Bigint.t -> bool

val tail_ok : problem -> tail_data -> bool

type coefficient_kind =
| Softmax
| Sinks of Bigint.t * Bigint.t list * Bigint.t list
| Sigmoid of Bigint.t list

val copies_of : coefficient_kind -> Bigint.t -> Bigint.t

type activation =
| Relu
| Silu
| Tanh

type earlier_head = { earlier_width : Bigint.t; q_earlier_key : Bigint.t;
                      earlier_key : Bigint.t list list;
                      q_earlier_query : Bigint.t;
                      earlier_query : Bigint.t list list;
                      q_earlier_value : Bigint.t;
                      earlier_value : Bigint.t list list }

type earlier =
| EarlierAttention of bool * Bigint.t list list * earlier_head list
| EarlierNetwork of bool * activation * Bigint.t * Bigint.t
   * Bigint.t list list * Bigint.t * Bigint.t list * Bigint.t
   * Bigint.t list list * Bigint.t * Bigint.t list
| EarlierNorm of Bigint.t * Bigint.t list * Bigint.t * Bigint.t

type layer_stack = { top_problem : problem; q_hidden : Bigint.t;
                     hidden_rows : Bigint.t list list;
                     befores : earlier list; example_rows : Bigint.t list;
                     example_tokens : Bigint.t list list }

val cycled : Bigint.t -> 'a1 list -> 'a1 list

val cycled_keys : Bigint.t -> layer -> layer

val with_lists :
  problem -> Bigint.t -> (Bigint.t -> Bigint.t list list) -> problem

val kind_of_lists :
  Bigint.t -> Bigint.t -> (Bigint.t -> Bigint.t list list) ->
  coefficient_kind -> coefficient_kind

val output_row :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> reader ->
  (Bigint.t * Bigint.t) list -> (Bigint.word * Bigint.word) list option ->
  Bigint.t -> Bigint.t list option

val output_rows :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
  (Bigint.t * Bigint.t) list -> Bigint.t list -> Bigint.t list list option

val column_ok : problem -> (Bigint.t * Bigint.t) -> bool

val rows_ok :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
  list -> (Bigint.t * Bigint.t) list -> bool

val minor_labels_ok :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
  list -> (Bigint.t * Bigint.t) list -> bool

val differ_mod : Bigint.t -> Bigint.t list -> Bigint.t list -> bool

val all_differ : Bigint.t -> Bigint.t list list -> bool

val different_rows_ok :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
  list -> (Bigint.t * Bigint.t) list -> bool

val edge : Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t list

val equal_rows_ok :
  problem -> layer -> bool -> Bigint.t -> (Bigint.t * Bigint.t) list -> bool

type power_quotient = Bigint.t list * Bigint.t list list

type head_blocks = { number_of : Bigint.t; block_width : Bigint.t;
                     quotients_of : Bigint.t;
                     quotients : (Bigint.t -> Bigint.t -> power_quotient list);
                     beside_width : Bigint.t;
                     beside_row : (Bigint.t -> Bigint.t list) }

val quotient_at : power_quotient list -> Bigint.t -> power_quotient

val add_row : Bigint.t list -> Bigint.t list -> Bigint.t list

val block_mod :
  head_blocks -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t ->
  Bigint.t list option

val blocks_row_mod :
  head_blocks -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t ->
  Bigint.t list list option

val block_column_ok : head_blocks -> (Bigint.t * Bigint.t) -> bool

val minor_blocks_ok :
  problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t -> Bigint.t
  -> Bigint.t list -> (Bigint.t * Bigint.t) list -> bool

val repeated :
  head_blocks -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
  (Bigint.t * Bigint.t) list list

val left_blocks :
  problem -> layer -> bool -> head_blocks -> (Bigint.t * Bigint.t) list list
  -> bool

val left_blocks_ok :
  problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t -> Bigint.t
  -> (Bigint.t * Bigint.t) list list list -> bool

val right_blocks :
  problem -> layer -> bool -> head_blocks -> (Bigint.t * Bigint.t) list list
  list -> bool

val right_blocks_ok :
  problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t -> Bigint.t
  -> (Bigint.t * Bigint.t) list list list list -> bool

val softmax_blocks :
  problem -> layer -> bool -> Bigint.t list -> Bigint.t -> (Bigint.t ->
  Bigint.t -> Bigint.t list list) -> Bigint.t -> (Bigint.t -> Bigint.t list)
  -> head_blocks

val value_columns :
  problem -> whole -> Bigint.t -> (Bigint.t list * Bigint.t) list

val values_of :
  whole -> (Bigint.t list * Bigint.t) list -> Bigint.t list list -> Bigint.t
  list list

val beside_size : problem -> bool -> bool -> Bigint.t

val beside_of : problem -> bool -> bool -> Bigint.t -> Bigint.t list

val value_blocks :
  problem -> layer -> bool -> whole -> Bigint.t list -> bool -> bool ->
  head_blocks

val blocks_of :
  problem -> arguments -> layer -> bool -> blocks -> head_blocks option

type block_theorem =
| OnesBeside
| OneColumn
| AffineHullOnes
| OnesWithin
| EqualRowsOnes
| EqualLabelledRowsOnes
| LabelsBesideOnes
| FittedLabelsBias
| MissedLabelsBias
| LabelsAreZero
| LabelsAreEqual
| OutputsOfMeans
| OutputsWithBiases
| EqualOutputRows
| OutputsAndLabels
| OutputsAndOnes
| OutputsOnesLabels
| OutputsOneColumn
| OutputsZeroLabels
| OutputsEqualLabels
| HeadHull
| HeadRows
| HeadOutputsOfMeans
| HeadOutputRows
| SingularValues

val block_conditions : block_theorem -> quantity comparison0 list

val block_bounded : block_theorem -> (quantity * bool) * quantity expr

val block_readable : problem -> block_theorem -> bool

val with_query_bias : problem -> problem

val at_index : Bigint.t list -> Bigint.t -> Bigint.t

val zero_query : Bigint.t -> Bigint.t list -> bool

val crossed : Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list -> bool

val first_entry : Bigint.t list -> Bigint.t

val crossing_at : Bigint.t -> Bigint.t list -> Bigint.t list -> bool

val varied_rows : Bigint.t -> Bigint.t list list -> bool

val apart_all : (bool * Bigint.t list) list -> bool

val query_at : problem -> Bigint.t -> Bigint.t list

val token_entries : problem -> Bigint.t -> Bigint.t -> Bigint.t list

val sum_row : problem -> Bigint.t -> Bigint.t list

val pointed_row : problem -> Bigint.t -> Bigint.t list -> Bigint.t list

val token_rows :
  problem -> Bigint.t list -> Bigint.t list list -> Bigint.t list list

val query_if_moving : problem -> Bigint.t -> bool * Bigint.t list

val coefficients_ok :
  problem -> Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list list
  -> bool

val sums_of_rows :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list list ->
  (Bigint.t * Bigint.t) list list

val nothing : Bigint.t -> Bigint.t list -> bool

val add_constant :
  Bigint.t -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
  Bigint.t list -> (Bigint.t * Bigint.t) list list

val mean_den : problem -> precision -> Bigint.t

val value_den : problem -> whole -> precision -> Bigint.t

val head_den : problem -> whole -> precision -> Bigint.t

val out_den : problem -> whole -> precision -> Bigint.t

val score_den : problem -> whole -> precision -> Bigint.t

val score_parts :
  problem -> whole -> precision -> (Bigint.t -> (Bigint.t * Bigint.t) list
  list) -> Bigint.t -> (Bigint.t * Bigint.t) list list

val score_rows :
  problem -> whole -> precision -> (Bigint.t -> (Bigint.t * Bigint.t) list
  list) -> (Bigint.t * Bigint.t) list list

val class_scores :
  problem -> (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list

val classes_of : problem -> Bigint.t

val distances :
  problem -> arguments -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list
  -> (Bigint.t * Bigint.t) list

val decides :
  problem -> arguments -> Bigint.t -> bool -> Bigint.t ->
  (Bigint.t * Bigint.t) list -> bool

val scores_from :
  problem -> (Bigint.t * Bigint.t) list list list -> Bigint.t ->
  (Bigint.t * Bigint.t) list list

val examples_found :
  problem -> arguments -> whole -> (Bigint.t * Bigint.t) list list -> bool ->
  Bigint.t -> Bigint.t

val classes_ok : problem -> arguments -> bool

val count_from :
  problem -> arguments -> (Bigint.t * Bigint.t) list list -> bool -> Bigint.t
  -> Bigint.t -> bool

val count_examples_ok :
  problem -> arguments -> (Bigint.t * Bigint.t) list list -> bool -> Bigint.t
  -> Bigint.t -> bool

val add_iv :
  (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list

val exact_entry : precision -> Bigint.t -> Bigint.t -> Bigint.t * Bigint.t

val iv_row :
  precision -> Bigint.t -> Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t)
  list

val iv_mulmx :
  Bigint.t -> Bigint.t -> Bigint.t list list -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list

val transposed : Bigint.t -> Bigint.t list list -> Bigint.t list list

val iv_activate :
  precision -> digit list -> activation -> (Bigint.t * Bigint.t) ->
  Bigint.t * Bigint.t

val iv_tokens :
  (Bigint.t * Bigint.t) list list -> Bigint.t list -> (Bigint.t * Bigint.t)
  list list

val iv_head :
  layer_stack -> precision -> digit list -> (Bigint.t * Bigint.t) list list
  -> Bigint.t list -> (Bigint.t * Bigint.t) list -> earlier_head ->
  (Bigint.t * Bigint.t) list

val iv_square :
  layer_stack -> precision -> (Bigint.t * Bigint.t) list -> Bigint.t ->
  Bigint.t -> Bigint.t * Bigint.t

val iv_kept :
  layer_stack -> bool -> (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t)
  list

val iv_after :
  layer_stack -> precision -> digit list -> earlier -> (Bigint.t * Bigint.t)
  list list -> Bigint.t -> (Bigint.t * Bigint.t) list

val iv_sized :
  layer_stack -> precision -> earlier -> (Bigint.t * Bigint.t) list -> bool

val iv_given : layer_stack -> precision -> (Bigint.t * Bigint.t) list list

val iv_stage :
  layer_stack -> precision -> digit list -> (bool * (Bigint.t * Bigint.t)
  list list) -> earlier -> bool * (Bigint.t * Bigint.t) list list

val iv_entering :
  layer_stack -> precision -> digit list -> bool * (Bigint.t * Bigint.t) list
  list

val iv_scale : layer_stack -> precision -> Bigint.t * Bigint.t

val iv_along :
  layer_stack -> precision -> layer -> Bigint.t -> (Bigint.t * Bigint.t) list
  -> (Bigint.t * Bigint.t) list

val iv_alpha :
  layer_stack -> precision -> digit list -> layer -> (Bigint.t * Bigint.t)
  list list -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list

val iv_mean :
  layer_stack -> precision -> digit list -> layer -> (Bigint.t * Bigint.t)
  list list -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list

val rows_inside : Bigint.t -> Bigint.t list list -> bool

val stack_enclosable : layer_stack -> layer -> bool

val iv_stack_rows :
  layer_stack -> layer -> Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t)
  list list list option

val stack_minor_ok :
  layer_stack -> layer -> Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t)
  list -> Bigint.t -> Bigint.t list list -> bool

val apart : (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list -> bool

val stack_apart_ok : layer_stack -> layer -> Bigint.t -> Bigint.t list -> bool

val iv_coefficients :
  layer_stack -> layer -> Bigint.t -> (Bigint.t * Bigint.t) list list list
  option

val stack_pairs_ok :
  layer_stack -> layer -> arguments -> bool -> Bigint.t -> Bigint.t -> bool

val iv_stack_Z :
  layer_stack -> layer -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list
  list option

val stack_spectrum_ok :
  layer_stack -> layer -> arguments -> bool -> Bigint.t -> Bigint.t ->
  Bigint.t list list -> bool

val stack_scores_ok :
  layer_stack -> layer -> arguments -> bool -> Bigint.t -> Bigint.t -> bool

val shifted : Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list

val relation_ok : problem -> (Bigint.t list * Bigint.t) list list -> bool

val first_power : (Bigint.t list * Bigint.t) list -> Bigint.t list

val first_coefficient : (Bigint.t list * Bigint.t) list -> Bigint.t

val own_index :
  problem -> (Bigint.t list * Bigint.t) list list list -> Bigint.t list ->
  Bigint.t -> bool

val zero_functions_ok :
  problem -> Bigint.t list -> (Bigint.t list * Bigint.t) list list list ->
  bool

val class_in :
  (Bigint.t list * Bigint.t list) list -> (Bigint.t list * Bigint.t list) ->
  Bigint.t

val key_classes : (Bigint.t list * Bigint.t list) list -> Bigint.t list

val negated : Bigint.t list -> Bigint.t list

val made_of :
  Bigint.t list -> Bigint.t -> Bigint.t list -> Bigint.t list * Bigint.t list

val all_zero : Bigint.t list -> bool

val classes_after : earlier -> Bigint.t list -> Bigint.t list

val padded : Bigint.t -> Bigint.t list -> Bigint.t list

val primitive : Bigint.t list -> Bigint.t list

val direction_key :
  Bigint.t list -> Bigint.t list -> Bigint.t list * Bigint.t list

val given_keys : layer_stack -> (Bigint.t list * Bigint.t list) list

val row_classes : layer_stack -> Bigint.t list

val turns : layer -> bool

val example_keys : layer_stack -> (Bigint.t list * Bigint.t list) list

val stack_distinct : layer_stack -> bool -> Bigint.t

val stack_directions : layer_stack -> bool -> Bigint.t

val no_last_layer : layer

val less :
  Bigint.t -> Bigint.t list -> Bigint.t -> Bigint.t list -> Bigint.t list

val eliminated :
  (Bigint.t list list * Bigint.t list list) -> Bigint.t -> Bigint.t list
  list * Bigint.t list list

val basis : Bigint.t -> Bigint.t list list -> Bigint.t list list

val image : Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list

val once : Bigint.t list -> Bigint.t list

val lists_of_layer : earlier -> Bigint.t list list

val used_rows : layer_stack -> Bigint.t list

type any_fraction = Bigint.t * Bigint.t

val plus_q : any_fraction -> any_fraction -> any_fraction

val times_q : any_fraction -> any_fraction -> any_fraction

val leq_q : any_fraction -> any_fraction -> bool

val total_q : any_fraction option list -> any_fraction option

val applied :
  layer_stack -> (Bigint.t * Bigint.t list) -> Bigint.t -> Bigint.t list ->
  any_fraction

val behind :
  layer_stack -> Bigint.t -> Bigint.t list list -> (Bigint.t * Bigint.t list)
  -> Bigint.t * Bigint.t list

val column_of :
  layer_stack -> Bigint.t -> Bigint.t list list -> Bigint.t ->
  Bigint.t * Bigint.t list

val entering_neuron :
  layer_stack -> ((Bigint.t * Bigint.t list) -> any_fraction option) ->
  Bigint.t -> Bigint.t list list -> Bigint.t -> Bigint.t list -> Bigint.t ->
  any_fraction option

val most :
  layer_stack -> earlier list -> (Bigint.t * Bigint.t list) -> any_fraction
  option

val is_off :
  layer_stack -> earlier list -> activation -> Bigint.t -> Bigint.t list list
  -> Bigint.t -> Bigint.t list -> Bigint.t -> bool

val on_rows :
  layer_stack -> earlier list -> activation -> Bigint.t -> Bigint.t ->
  Bigint.t list list -> Bigint.t -> Bigint.t list -> Bigint.t list list ->
  Bigint.t list list

val next_space :
  layer_stack -> earlier list -> earlier -> bool -> Bigint.t list list ->
  Bigint.t list list -> Bigint.t list list

val first_of : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t -> Bigint.t

val given_spaces :
  layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t list list * Bigint.t list
  list

val spaces :
  layer_stack -> (Bigint.t -> Bigint.t) -> earlier list -> Bigint.t list
  list * Bigint.t list list

val hulls :
  layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t list list * Bigint.t list
  list

val layer_lists_ok : layer_stack -> (Bigint.t -> Bigint.t) -> earlier -> bool

val listed_rows : layer_stack -> Bigint.t list

val class_at : layer_stack -> Bigint.t -> Bigint.t

val token_classes : layer_stack -> Bigint.t list

val directions_of : layer_stack -> Bigint.t list -> Bigint.t list

val few_linear : layer_stack -> Bigint.t

val few_affine : layer_stack -> Bigint.t

val join_classes :
  layer_stack -> (Bigint.t list * (Bigint.t * Bigint.t) list) ->
  (Bigint.t * Bigint.t) -> Bigint.t list * (Bigint.t * Bigint.t) list

val class_edges : layer_stack -> (Bigint.t * Bigint.t) list

val class_forest : layer_stack -> Bigint.t list * (Bigint.t * Bigint.t) list

val few_differences : layer_stack -> Bigint.t

val dim_linear : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t

val dim_affine : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t

val dim_differences : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t

val hulls_ok : layer_stack -> (Bigint.t -> Bigint.t) -> bool

val total_row : Bigint.t list list -> Bigint.t list

val inner_rows : problem -> coefficient_kind -> Bigint.t -> Bigint.t list list

val common_rows :
  problem -> coefficient_kind -> Bigint.t -> Bigint.t list list

val still_copies : problem -> coefficient_kind -> Bigint.t

val same_copies : problem -> coefficient_kind -> bool

val hulls_number :
  problem -> coefficient_kind -> Bigint.t list list -> Bigint.t

val cone_ok : problem -> layer -> bool -> coefficient_kind -> bool

val sink_exponent :
  problem -> layer -> bool -> Bigint.t -> Bigint.t list -> Bigint.t ->
  Bigint.t

val quotients_of_kind :
  coefficient_kind -> Bigint.t -> 'a1 -> 'a1 -> 'a1 list -> Bigint.t list
  list -> ('a1 list * Bigint.t list list) list

val number_of_quotients : coefficient_kind -> Bigint.t -> Bigint.t

val cone_quotients :
  problem -> layer -> bool -> coefficient_kind -> Bigint.t -> Bigint.t ->
  Bigint.t list -> Bigint.t list list -> power_quotient list

val cone_blocks :
  problem -> layer -> bool -> coefficient_kind -> Bigint.t list -> Bigint.t
  -> (Bigint.t -> Bigint.t -> Bigint.t list list) -> Bigint.t -> (Bigint.t ->
  Bigint.t list) -> head_blocks

val cone_Z : problem -> layer -> bool -> coefficient_kind -> head_blocks

val cone_labels : problem -> layer -> bool -> coefficient_kind -> head_blocks

val cone_values :
  problem -> layer -> bool -> coefficient_kind -> whole -> Bigint.t list ->
  bool -> bool -> head_blocks

val cone_blocks_of :
  problem -> arguments -> layer -> bool -> coefficient_kind -> blocks ->
  head_blocks option

val different_blocks_ok :
  problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t -> Bigint.t
  -> Bigint.t list -> (Bigint.t * Bigint.t) list -> bool

val cone_head_row :
  problem -> layer -> bool -> coefficient_kind -> Bigint.t -> Bigint.t ->
  Bigint.t list

val cone_head :
  problem -> layer -> bool -> coefficient_kind -> Bigint.t -> Bigint.t list
  list

val cone_heads :
  problem -> layer -> bool -> coefficient_kind -> Bigint.t list list list

val copies_agree : problem -> coefficient_kind -> bool

val zero_exponent : problem -> Bigint.t list

val sink_variable : problem -> Bigint.t list

val capacity_quotients :
  problem -> coefficient_kind -> Bigint.t -> (Bigint.t list list * Bigint.t
  list list) list

val zero_cone_capacity_ok :
  problem -> coefficient_kind -> Bigint.t -> Bigint.t list list -> bool

val with_layer : problem -> layer -> problem

val chosen_columns :
  problem -> layer -> Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t) list
  list

type enclosed_readout = { q_inverse : Bigint.t;
                          inverse_rows : Bigint.t list list;
                          q_mid : Bigint.t; mids : Bigint.t list list;
                          q_rad : Bigint.t; rads : Bigint.t list list }

val worst : Bigint.t list -> Bigint.t

val q_target : problem -> Bigint.t

val target_entry : problem -> arguments -> Bigint.t -> Bigint.t -> Bigint.t

val residual :
  problem -> arguments -> enclosed_readout -> Bigint.t ->
  (Bigint.t * Bigint.t) list list -> Bigint.t -> Bigint.t list

val residual_error :
  problem -> enclosed_readout -> (Bigint.t * Bigint.t) list list -> Bigint.t
  -> Bigint.t list

val label_column_ok :
  problem -> arguments -> enclosed_readout -> Bigint.t -> Bigint.t ->
  (Bigint.t * Bigint.t) list list -> Bigint.t -> bool

val readout_ok :
  problem -> arguments -> enclosed_readout -> layer -> Bigint.t -> Bigint.t
  list -> bool

val case_layer_at : problem -> layer -> bool -> problem

val enclosed_part :
  problem -> layer -> bool -> Bigint.t -> Bigint.t list -> Bigint.t list ->
  (Bigint.t * Bigint.t) list list

val enclosed_minor_ok :
  problem -> layer -> bool -> Bigint.t -> Bigint.t list -> Bigint.t list ->
  Bigint.t -> Bigint.t list list -> bool

type j_entry =
| KeyEntry of Bigint.t * Bigint.t
| QueryEntry of Bigint.t * Bigint.t
| ReadEntry of Bigint.t * Bigint.t

val invertible : Bigint.t -> Bigint.t -> bool

val over : Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list

val dots : Bigint.t -> Bigint.t list list -> Bigint.t list -> Bigint.t list

val readouts_mod :
  problem -> Bigint.t -> Bigint.t list list option -> Bigint.t list list list

val readouts_ok : problem -> Bigint.t -> Bigint.t list list option -> bool

type head_mod = { logits_of : literal_head; key_columns : Bigint.t list list;
                  query_columns : Bigint.t list list;
                  query_bias_mod : Bigint.t list;
                  readout_columns : Bigint.t list list }

val head_mod_of :
  layer -> Bigint.t -> Bigint.t list list list -> Bigint.t -> head_mod

val heads_mod :
  problem -> layer -> Bigint.t -> Bigint.t list list option -> head_mod list

type parts_of_row = { row_c : Bigint.t list; row_kc : Bigint.t list;
                      row_z : Bigint.t list; row_projected : Bigint.t list;
                      row_query : Bigint.t list }

val row_mod :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t ->
  Bigint.t -> head_mod -> parts_of_row option

val entry_mod :
  Bigint.t -> Bigint.t -> parts_of_row list -> (Bigint.t * j_entry) ->
  Bigint.t

val entries_mod :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> head_mod
  list -> (Bigint.t * j_entry) list -> (Bigint.t * Bigint.t) -> Bigint.t list
  option

val key_width : problem -> layer -> Bigint.t

val entry_ok : problem -> layer -> (Bigint.t * j_entry) -> bool

val scale_ok : problem -> bool -> bool

val factors_ok : problem -> layer -> Bigint.t -> bool

val minor_J_ok :
  problem -> layer -> bool -> Bigint.t list list option -> Bigint.t ->
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list -> (Bigint.t * j_entry)
  list -> bool

type j_part = { on_keys : Bigint.t list list;
                on_queries : Bigint.t list list; on_reads : Bigint.t list list }

val no_part : j_part

val query_width : layer -> Bigint.t

val of_size : Bigint.t -> Bigint.t -> Bigint.t list list -> bool

val part_ok : problem -> layer -> j_part -> bool

val flat_part : j_part -> Bigint.t list

val part_width : problem -> layer -> Bigint.t

val columns_number : problem -> layer -> Bigint.t

val readout_den : problem -> Bigint.t list list option -> Bigint.t

val readout_column :
  problem -> Bigint.t list list option -> Bigint.t -> Bigint.t -> Bigint.t
  list

val readout_sizes : problem -> Bigint.t list list option -> bool

val projected_den : problem -> layer -> Bigint.t

val projected_row :
  problem -> layer -> Bigint.t -> Bigint.t list -> Bigint.t list

val motion_den : problem -> layer -> Bigint.t

val motion_row :
  problem -> layer -> Bigint.t -> Bigint.t list -> j_part -> Bigint.t list

val pair_logits : Bigint.t -> Bigint.t list -> Bigint.t list

val pair_tokens :
  problem -> layer -> Bigint.t list list option -> Bigint.t -> Bigint.t ->
  Bigint.t -> j_part -> Bigint.t list list

val factor_of_head : Bigint.t list list -> (Bigint.t * Bigint.t) list list

val zero_J_row :
  problem -> layer -> bool -> Bigint.t list list option -> j_part list ->
  Bigint.t -> Bigint.t -> bool

val zero_J_ok :
  problem -> layer -> bool -> Bigint.t list list option -> Bigint.t -> j_part
  list list -> bool

val iv_opposite : (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val iv_over :
  precision -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
  Bigint.t * Bigint.t

val off_zero : (Bigint.t * Bigint.t) -> Bigint.t

val farthest :
  (Bigint.t * Bigint.t) list -> Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t

type placed = Bigint.t * (Bigint.t * Bigint.t) list

val reduced_row :
  precision -> (Bigint.t * Bigint.t) list -> placed -> (Bigint.t * Bigint.t)
  list

val taken :
  precision -> placed list -> (Bigint.t * Bigint.t) list -> placed list option

val subsets_free :
  precision -> placed list -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
  bool

val iv_mean_of :
  layer_stack -> (Bigint.t * Bigint.t) list list -> Bigint.t list ->
  (Bigint.t * Bigint.t) list

val iv_mixed :
  layer_stack -> bool -> (Bigint.t * Bigint.t) list list -> Bigint.t list ->
  (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list

val iv_vectors :
  layer_stack -> Bigint.t -> (Bigint.t * Bigint.t) list list option

val entering_queries_ok : layer_stack -> Bigint.t -> bool -> Bigint.t -> bool

val entering_contexts_ok : layer_stack -> Bigint.t -> bool -> bool

val fewest_tokens : layer_stack -> Bigint.t

val own_directions : layer_stack -> Bigint.t list

val queries_most : layer_stack -> Bigint.t

val contexts_most : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t

val head_form_rows : layer_stack -> layer -> Bigint.t -> Bigint.t list list

val different_heads : layer_stack -> layer -> Bigint.t list list list

val with_last : layer_stack -> layer -> layer_stack

type free_parameter =
| KeyAt of Bigint.t * Bigint.t * Bigint.t * Bigint.t
| QueryAt of Bigint.t * Bigint.t * Bigint.t * Bigint.t
| ValueAt of Bigint.t * Bigint.t * Bigint.t * Bigint.t

val width_at : earlier_head list -> Bigint.t -> Bigint.t

val minus :
  (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t

val row_with :
  Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) list

val sum_iv :
  (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list list ->
  (Bigint.t * Bigint.t) list

type layer_form = { keeps : bool; across : Bigint.t; owns : Bigint.t list;
                    lists_at : Bigint.t list list;
                    heads_at : earlier_head list }

type seen = { inner : (Bigint.t * Bigint.t) list;
              seen_along : (Bigint.t * Bigint.t) list;
              seen_alpha : (Bigint.t * Bigint.t) list;
              seen_mean : (Bigint.t * Bigint.t) list }

type stage = { of_form : layer_form;
               rows_in : (Bigint.t * Bigint.t) list list;
               looks : seen list list }

val no_head : earlier_head

val nothing_seen : seen

val layer_of : free_parameter -> Bigint.t

val look :
  Bigint.t -> precision -> digit list -> (Bigint.t * Bigint.t) list list ->
  Bigint.t list -> (Bigint.t * Bigint.t) list -> earlier_head -> seen

val to_values :
  Bigint.t -> earlier_head -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list

val mean_motion :
  Bigint.t -> precision -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list list -> (Bigint.t * Bigint.t) list ->
  (Bigint.t * Bigint.t) list

val carried :
  Bigint.t -> precision -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
  (Bigint.t * Bigint.t) list list -> Bigint.t list -> (Bigint.t * Bigint.t)
  list -> seen -> earlier_head -> (Bigint.t * Bigint.t) list

val begun :
  Bigint.t -> precision -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
  Bigint.t list -> (Bigint.t * Bigint.t) list -> seen -> earlier_head ->
  Bigint.t -> Bigint.t -> free_parameter -> (Bigint.t * Bigint.t) list

val own_of :
  layer_form -> (Bigint.t * Bigint.t) list list -> Bigint.t ->
  (Bigint.t * Bigint.t) list

val kept_of :
  layer_form -> (Bigint.t * Bigint.t) list list -> Bigint.t ->
  (Bigint.t * Bigint.t) list

val by_heads :
  layer_form -> (Bigint.t -> earlier_head -> (Bigint.t * Bigint.t) list) ->
  (Bigint.t * Bigint.t) list list

val look_all :
  Bigint.t -> precision -> digit list -> layer_form -> (Bigint.t * Bigint.t)
  list list -> seen list list

val outs : stage -> (Bigint.t * Bigint.t) list list

val moved_rows :
  Bigint.t -> precision -> stage -> Bigint.t -> free_parameter ->
  (Bigint.t * Bigint.t) list list option -> (Bigint.t * Bigint.t) list list
  option

val stages :
  Bigint.t -> precision -> digit list -> (Bigint.t * Bigint.t) list list ->
  layer_form list -> stage list * (Bigint.t * Bigint.t) list list

val motion_through :
  Bigint.t -> precision -> stage list -> Bigint.t -> free_parameter ->
  (Bigint.t * Bigint.t) list list option -> (Bigint.t * Bigint.t) list list
  option

val fitting : earlier -> earlier_head list -> bool

val form_of :
  Bigint.t -> Bigint.t -> earlier -> earlier_head list -> layer_form

val iv_free_J :
  layer_stack -> earlier_head list list -> earlier_head list -> precision ->
  (Bigint.t * Bigint.t) list -> free_parameter list -> (Bigint.t * Bigint.t)
  list list

val free_J_ok :
  layer_stack -> earlier_head list list -> earlier_head list -> Bigint.t ->
  (Bigint.t * Bigint.t) list -> free_parameter list -> Bigint.t -> Bigint.t
  list list -> bool

val pivots :
  Bigint.word -> Bigint.word array option list -> Bigint.word array list ->
  Bigint.word array option list option

val free_with_each :
  Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list -> bool

val row_images :
  problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
  (Bigint.t * Bigint.t) list -> Bigint.t list list option

val conflict_ok :
  arguments -> Bigint.t list -> (Bigint.t list * Bigint.t) list ->
  (Bigint.t * Bigint.t list) -> bool

val circuits_ok :
  problem -> arguments -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t
  -> (Bigint.t * Bigint.t) list -> Bigint.t list -> (Bigint.t * Bigint.t
  list) list -> (Bigint.t list * Bigint.t) list -> bool

val zero_row : Bigint.t list -> bool

val annihilates : problem -> Bigint.t list -> bool

type neuron = { on_context : Bigint.t list list; on_query : Bigint.t list;
                neuron_bias : Bigint.t; output : Bigint.t }

val dot_rows : Bigint.t list list -> Bigint.t list list -> Bigint.t

val before_relu : problem -> neuron -> Bigint.t -> Bigint.t

val network_ok :
  problem -> arguments -> Bigint.t -> Bigint.t -> neuron list -> Bigint.t ->
  bool

type tree =
| Leaf of Bigint.t list * Bigint.t list list * Bigint.t list
| Branch of Bigint.t * Bigint.t * tree * tree

val decided :
  ((Bigint.t * Bigint.t) * bool) list -> Bigint.t -> Bigint.t -> bool -> bool

val add_first : Bigint.t -> Bigint.t list -> Bigint.t list

val factor_ok :
  Bigint.t -> ((Bigint.t * Bigint.t) * bool) list -> Bigint.t list ->
  Bigint.t -> Bigint.t list -> Bigint.t -> bool

val leaf_ok :
  problem -> arguments -> Bigint.t -> ((Bigint.t * Bigint.t) * bool) list ->
  Bigint.t list -> Bigint.t list list -> Bigint.t list -> bool

val tree_ok :
  problem -> arguments -> Bigint.t -> ((Bigint.t * Bigint.t) * bool) list ->
  tree -> bool

val trees_ok : problem -> arguments -> tree list -> bool

val schur :
  Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list list

val semidefinite_from : Bigint.t -> Bigint.t list list -> bool

val semidefinite : Bigint.t list list -> bool

val form_value : Bigint.t list list -> Bigint.t list -> Bigint.t

val tabulate :
  Bigint.t -> Bigint.t -> (Bigint.t -> Bigint.t -> Bigint.t) -> Bigint.t list
  list

val gram : Bigint.t list list -> Bigint.t list list

val difference : arguments -> Bigint.t list list

val gram_a : arguments -> Bigint.t list list

val distance_form : arguments -> Bigint.t -> Bigint.t -> Bigint.t list list

val singular_form : arguments -> Bigint.t -> Bigint.t -> Bigint.t list list

val small_ok : arguments -> Bigint.t -> Bigint.t -> Bigint.t -> bool

val large_ok :
  arguments -> Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list -> bool

val wf_subset : problem -> arguments -> bool

val wf_coefficients : problem -> arguments -> bool

type inverses = { q_right : Bigint.t; right : Bigint.t list list list;
                  q_left : Bigint.t; left : Bigint.t list list }

val is_scalar :
  Bigint.t -> Bigint.t -> (Bigint.t -> Bigint.t -> Bigint.t) -> bool

val context_of_member : problem -> arguments -> Bigint.t -> Bigint.t list list

val query_of_member : problem -> arguments -> Bigint.t -> Bigint.t list

val right_ok : problem -> arguments -> inverses -> Bigint.t -> bool

val inverses_ok : problem -> arguments -> inverses -> Bigint.t -> bool

val weights_ok : problem -> arguments -> inverses -> bool

val non_zero_row : Bigint.t list -> bool

val entries_of :
  problem -> Bigint.t list -> Bigint.t list -> Bigint.t -> Bigint.t list

val separated_at :
  problem -> arguments -> Bigint.t list -> Bigint.t list -> Bigint.t -> bool

val separated : problem -> arguments -> Bigint.t list -> Bigint.t list -> bool

val separator_ok :
  problem -> arguments -> Bigint.t list -> Bigint.t list -> bool

val exp_above : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

val power_above :
  bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

val bits_for : arguments -> Bigint.t

val log_precision : precision

val log_two_low : bool -> Bigint.t

val power_bound :
  problem -> arguments -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

val is_near : arguments -> Bigint.t -> bool

val vertex_ok :
  problem -> arguments -> Bigint.t -> Bigint.t -> Bigint.t -> bool

val log_bits : Bigint.t -> Bigint.t -> Bigint.t

val extent : Bigint.t list -> Bigint.t

val spread_at : problem -> arguments -> inverses -> Bigint.t -> Bigint.t

val separator_gap : Bigint.t list -> Bigint.t

val vertex_near_at :
  problem -> arguments -> Bigint.t -> inverses -> Bigint.t list -> Bigint.t
  list -> Bigint.t -> Bigint.t -> Bigint.t -> bool

val one_hot_ok :
  problem -> arguments -> inverses -> Bigint.t list -> Bigint.t list ->
  Bigint.t -> Bigint.t -> bool

type witness =
| CaseTrees of tree list
| Network of Bigint.t * Bigint.t * neuron list * Bigint.t
| Perturbation of Bigint.t * Bigint.t * Bigint.t
| NoPerturbation of Bigint.t * Bigint.t * Bigint.t list * Bigint.t list
| Separator of Bigint.t list * Bigint.t list
| VertexOf of Bigint.t * Bigint.t * Bigint.t
| WeightsOf of inverses
| OneHotOf of inverses * Bigint.t list * Bigint.t list * Bigint.t * Bigint.t

val shown : witness -> truth * bool

val witness_ok : problem -> arguments -> witness -> bool

val basis_of :
  Bigint.word -> Bigint.word array option list -> Bigint.word array list ->
  Bigint.word array option list option

val vanish_row :
  Bigint.word -> Bigint.word array list -> Bigint.word array option list ->
  Bigint.word array -> bool

val spanned_ok :
  Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t -> bool

val scaled_row :
  Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list -> bool

val scaled_rows :
  Bigint.t list -> Bigint.t list -> Bigint.t list list -> Bigint.t list list
  -> bool

val power_Z : Bigint.t -> Bigint.t -> Bigint.t

val exceeds_bound :
  Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t -> bool

val hadamard_ok :
  Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t list ->
  Bigint.t list -> Bigint.t list -> Bigint.t -> bool -> Bigint.t list -> bool

val affine_bound : quantity expr -> quantity expr

val tangents : quantity expr

type theorem =
| AffineHull
| LinearHull
| ContextHulls
| AnyCoefficients
| SomeCoefficients
| AnyWeights
| CoefficientsOfWeights
| SomeWeights
| EqualExamples
| EqualRows
| EqualOutputs
| EqualLabelledRows
| LabelsBeside
| EqualHeads
| ConstantHeads
| AllLabels
| AllLabelsSkip
| FittedLabels
| MissedLabels
| PartAndOthers of part
| ConcaveFrom0 of part
| ConcaveFromConstants of part
| AnyHeads
| ManyHeads of part
| SomeJacobian of Bigint.t list list option
| AllJacobians of Bigint.t list list option
| EqualJacobianRows of Bigint.t list list option
| ExponentCount
| ExponentProducts
| DifferentExamples
| BiasedTangents of Bigint.t list list option
| RelatedOutputs
| MovingDirections
| Tangents of Bigint.t list list option
| SumsOfEmbeddings of Bigint.t list list
| SomeEmbeddings of Bigint.t list list
| AlmostAllOutputs
| IndependentOutputs
| EqualInputs
| EqualHeadsCones
| ConstantHeadsCones

val conditions : theorem -> layer_name -> quantity comparison0 list

val bounded : theorem -> layer_name -> (quantity * bool) * quantity expr

type fact = { about : quantity; below : bool; bound : Bigint.t }

type step =
| MinorZ of layer_name * Bigint.t * Bigint.t * Bigint.t * Bigint.t list
   * (Bigint.t * Bigint.t) list
| Minor of matrix * Bigint.t * Bigint.t list * Bigint.t list
| MinorContexts of family * Bigint.t
| Zero of matrix * bool * Bigint.t * Bigint.t list list
| Hadamard of matrix * Bigint.t list list * Bigint.t list * Bigint.t list
   * Bigint.t list * Bigint.t * bool * Bigint.t list
| ZeroContext of family * Bigint.t * bool * Bigint.t * Bigint.t list list
| Subsets of bool * Bigint.t * Bigint.t
| ZeroKruskal of bool * Bigint.t list
| LeftZeroZ of layer_name * Bigint.t * Bigint.t * Bigint.t
   * (Bigint.t * Bigint.t) list list list
| RightZeroZ of layer_name * Bigint.t * Bigint.t * Bigint.t
   * (Bigint.t * Bigint.t) list list list list
| ZeroCapacity of Bigint.t * Bigint.t list list
| Hulls of Bigint.t list list
| ZeroLargestRank of Bigint.t * Bigint.t list list
| Coefficients of Bigint.t * Bigint.t list * Bigint.t list
   * Bigint.t list list
| ZeroFunctions of Bigint.t list * (Bigint.t list * Bigint.t) list list list
| MinorLabels of Bigint.t * Bigint.t * Bigint.t * Bigint.t list
   * (Bigint.t * Bigint.t) list
| ZeroLabels of Bigint.t * Bigint.t * Bigint.t
   * (Bigint.t * Bigint.t) list list list
| MinorDistinct of Bigint.t * Bigint.t * Bigint.t * Bigint.t list
   * (Bigint.t * Bigint.t) list
| ZeroDistinct of Bigint.t * (Bigint.t * Bigint.t) list
| Apply of theorem * layer_name * Bigint.t list
| ApplyPaper of paper_theorem * Bigint.t list
| Show of witness
| CountPairs of bool * Bigint.t * Bigint.t
| Spectrum of bool * Bigint.t * Bigint.t list list
| CountExamples of bool * Bigint.t * Bigint.t
| ReadLabels of layer_name * Bigint.t * Bigint.t list * enclosed_readout
| TailMinor of tail_data
| LambdaMinor of separated_heads * Bigint.t * Bigint.t * Bigint.t
   * Bigint.t list * (Bigint.t * Bigint.t) list
| MinorJ of layer_name * Bigint.t list list option * Bigint.t * Bigint.t
   * Bigint.t * (Bigint.t * Bigint.t) list * (Bigint.t * j_entry) list
| ZeroJ of layer_name * Bigint.t list list option * Bigint.t
   * j_part list list
| Circuits of layer_name * Bigint.t * Bigint.t * Bigint.t
   * (Bigint.t * Bigint.t) list * Bigint.t list
   * (Bigint.t * Bigint.t list) list * Bigint.t list
| MinorBlocks of blocks * Bigint.t * Bigint.t * Bigint.t * Bigint.t list
   * (Bigint.t * Bigint.t) list
| LeftZeroBlocks of blocks * Bigint.t * Bigint.t * Bigint.t
   * (Bigint.t * Bigint.t) list list list
| RightZeroBlocks of blocks * Bigint.t * Bigint.t * Bigint.t
   * (Bigint.t * Bigint.t) list list list list
| ApplyBlocks of block_theorem * Bigint.t list
| EnclosedMinor of layer_name * Bigint.t * Bigint.t list * Bigint.t list
   * Bigint.t * Bigint.t list list
| PartOf of part * (layer * bool) option list * step list * bool
| NotCovered

val fact_interval : fact -> interval

val bounds_from : (quantity -> interval) -> fact list -> quantity -> interval

val apply_from :
  (quantity -> interval) -> quantity comparison0 list ->
  ((quantity * bool) * quantity expr) -> fact list -> fact option

val proves : bool -> quantity -> bool -> Bigint.t -> fact option

val judge_from :
  (quantity -> interval) -> statement -> claim -> fact list -> verdict

val bits_of : step -> Bigint.t option

type kept_enclosures =
  Bigint.t * ((Bigint.t * Bigint.t) list list list * (Bigint.t * Bigint.t)
  list list option)

val counts_examples : step -> bool

val table_at :
  problem -> kept_enclosures option -> Bigint.t -> (Bigint.t * Bigint.t) list
  list list

val scores_at :
  problem -> kept_enclosures option -> Bigint.t -> (Bigint.t * Bigint.t) list
  list

val shared_table :
  problem -> kept_enclosures option -> step list -> kept_enclosures option

val bounds :
  problem -> claim -> (layer_name -> (layer * bool) option) -> fact list ->
  quantity -> interval

val non_zero : Bigint.t list -> Bigint.t

val kruskal_zero_ok : problem -> bool -> Bigint.t list -> bool

val readable :
  problem -> claim -> (layer_name -> (layer * bool) option) -> theorem ->
  layer_name -> bool

val apply_schema :
  problem -> claim -> (layer_name -> (layer * bool) option) -> quantity
  comparison0 list -> ((quantity * bool) * quantity expr) -> fact list ->
  fact option

val spans : problem -> fact list -> (Bigint.t list * Bigint.t) list

val given_blocks :
  problem -> claim -> (layer_name -> (layer * bool) option) -> blocks ->
  ((layer * bool) * head_blocks) option

val once_if_equal :
  (Bigint.t list list -> bool) -> Bigint.t list list list -> bool

val run_plain_step :
  problem -> claim -> (layer_name -> (layer * bool) option) ->
  kept_enclosures option -> fact option list -> step -> fact option

val judge :
  problem -> claim -> (layer_name -> (layer * bool) option) -> statement ->
  fact list -> verdict

val all_layers :
  problem -> (layer * bool) option list -> layer_name -> (layer * bool) option

val part_fact :
  problem -> claim -> part -> (layer * bool) option list -> bool -> fact
  option list -> fact option

val run_step :
  problem -> claim -> (layer_name -> (layer * bool) option) ->
  kept_enclosures option -> fact option list -> step -> fact option

val run :
  problem -> claim -> (layer_name -> (layer * bool) option) ->
  kept_enclosures option -> fact option list -> step list -> fact option list

type result = { of_claim : verdict; of_steps : fact option list }

val about_given : statement -> bool

val check_after :
  fact list -> kept_enclosures option -> problem -> statement -> claim ->
  (layer * bool) option list -> step list -> result

val lasting : fact -> bool

val covered_kind : statement -> bool

val of_data : quantity -> bool

val cone_sound : theorem -> bool

val cone_block_sound : block_theorem -> bool

val kind_of_layer :
  coefficient_kind -> (Bigint.t * Bigint.t list) list -> layer_name ->
  coefficient_kind

val counted_heads :
  problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> quantity -> Bigint.t option

val natural_of_kind :
  problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> quantity -> interval

val good_layer :
  problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> layer_name -> bool

val blocks_of_Z :
  problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> layer_name -> ((layer * bool) * head_blocks) option

val cone_given_blocks :
  problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> blocks -> ((layer * bool) * head_blocks) option

val labels_blocks :
  problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> ((layer * bool) * head_blocks) option

val readable_of_kind :
  problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> theorem -> layer_name -> bool

val block_readable_of_kind :
  problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> block_theorem -> bool

val run_cone_step :
  problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> fact option list -> step -> fact option

val run_cone_steps :
  problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name ->
  coefficient_kind) -> fact option list -> step list -> fact option list

val check_of_kind :
  fact list -> kept_enclosures option -> problem -> coefficient_kind ->
  statement -> claim -> (layer * bool) option list -> (Bigint.t * Bigint.t
  list) list -> step list -> result

val stack_given : statement -> bool

val about_length : statement -> bool

val covered_stack : statement -> bool

type stack_bound =
| DifferentRows
| RankOfRows
| Directions
| FreeDirections
| FreeRows
| QueriesMost
| ContextsMost
| EqualHeadsOf
| LinearHullOf
| AffineHullOf
| DifferencesOf

type stack_step =
| StackMinor of layer_name * Bigint.t * Bigint.t list
   * (Bigint.t * Bigint.t) list * Bigint.t * Bigint.t list list
| StackApart of Bigint.t * Bigint.t list
| StackPairs of bool * Bigint.t * Bigint.t
| StackScores of bool * Bigint.t * Bigint.t
| StackSpectrum of bool * Bigint.t * Bigint.t * Bigint.t list list
| StackQueries of bool * Bigint.t * Bigint.t
| StackContexts of bool * Bigint.t
| StackApply of theorem * layer_name * Bigint.t list
| StackBound of stack_bound
| StackNotCovered

val stack_theorem : theorem -> bool

val stack_of :
  layer_stack -> (layer * bool) option list -> layer_name ->
  (layer_stack * layer) option

val natural_of_stack :
  layer_stack -> claim -> (layer * bool) option list -> quantity -> interval

val sequence_of : layer_stack -> Bigint.t -> Bigint.t

val bound_fact : layer_stack -> stack_bound -> fact option

val run_stack_step :
  layer_stack -> claim -> (layer * bool) option list -> fact option list ->
  stack_step -> fact option

val run_stack_steps :
  layer_stack -> claim -> (layer * bool) option list -> fact option list ->
  stack_step list -> fact option list

val check_of_stack :
  layer_stack -> statement -> claim -> (layer * bool) option list ->
  stack_step list -> result

val only_attention : earlier list -> bool

val lists_of : earlier -> Bigint.t list list

val path_width : earlier -> Bigint.t

val single_path : earlier list -> bool

val reach : Bigint.t list list list -> Bigint.t list -> Bigint.t list

val reaches : Bigint.t list list list -> Bigint.t list -> bool

val motions : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t

val path_lists : layer_stack -> Bigint.t list list list

val averaged : layer_stack -> Bigint.t -> Bigint.t list

val composed : layer_stack -> bool

val hidden_row : layer_stack -> Bigint.t -> Bigint.t list

val row_differences : layer_stack -> Bigint.t list -> Bigint.t list list

val moved_at : layer_stack -> Bigint.t -> Bigint.t

val moved_dimensions : layer_stack -> Bigint.t

val averaged_rows : layer_stack -> Bigint.t list list

val averaged_span : layer_stack -> Bigint.t

val cleared_by : Bigint.t list list -> Bigint.t list -> Bigint.t list

val spanned_by : Bigint.t list list -> Bigint.t list -> bool

val map_rows : layer_stack -> Bigint.t list list -> Bigint.t list

val maps_ok : layer_stack -> Bigint.t -> Bigint.t list list list -> bool

val grouped_layer : Bigint.t list -> (Bigint.t -> Bigint.t) -> earlier -> bool

val residual_of : earlier -> bool

val before_heads : earlier -> earlier_head list

val ways_of : earlier -> Bigint.t

val dims :
  layer_stack -> Bigint.t -> Bigint.t -> earlier list -> Bigint.t * Bigint.t

val motions_of :
  layer_stack -> Bigint.t -> Bigint.t -> earlier list -> Bigint.t

val seen_rows : layer_stack -> Bigint.t list

val sequence_number : layer_stack -> Bigint.t -> Bigint.t

val first_among : layer_stack -> Bigint.t list -> Bigint.t -> Bigint.t

val difference_basis : layer_stack -> Bigint.t list list

val seen_basis : layer_stack -> Bigint.t list list

val in_sequences : layer_stack -> Bigint.t -> bool

val first_dims : layer_stack -> Bigint.t * Bigint.t

val means_most : layer_stack -> Bigint.t

val symmetry_motions : layer_stack -> Bigint.t

val with_heads : earlier -> earlier_head list -> earlier

val all_attention : layer_stack -> bool

val with_weights : layer_stack -> earlier_head list list -> layer_stack

type free_step =
| FreeMinor of earlier_head list list * layer * Bigint.t * Bigint.t list
   * (Bigint.t * Bigint.t) list * Bigint.t * Bigint.t list list
| FreeJacobianMinor of earlier_head list list * earlier_head list * Bigint.t
   * (Bigint.t * Bigint.t) list * free_parameter list * Bigint.t
   * Bigint.t list list
| FreeExamples
| FreeOppositeRows
| FreeMeans of Bigint.t
| FreeSymmetries of Bigint.t * bool * bool
| FreeMoved of Bigint.t * bool * bool
| FreeMovedMaps of Bigint.t * Bigint.t list list list
| FreeNotCovered

val some_examples : layer_stack -> Bigint.t list -> layer_stack

val representatives : layer_stack -> Bigint.t list

val one_of_each : layer_stack -> layer_stack

val natural_of_free : layer_stack -> claim -> quantity -> interval

val capacity_most : layer_stack -> bool -> bool -> Bigint.t

val capacity_ok : layer_stack -> Bigint.t -> bool -> bool -> bool

val run_free_step : layer_stack -> free_step -> fact option

val covered_free : statement -> bool

val check_of_free :
  layer_stack -> statement -> claim -> free_step list -> result
