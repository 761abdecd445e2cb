
type __ = Obj.t
let __ = let rec f _ = Obj.repr f in Obj.repr f

(** val implb : bool -> bool -> bool **)

let implb b1 b2 =
  if b1 then b2 else true

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

let option_map f = function
| Some a -> Some (f a)
| None -> None

type ('a, 'b) sum =
| Inl of 'a
| Inr of 'b

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

type comparison =
| Eq
| Lt
| Gt

(** val compOpp : comparison -> comparison **)

let compOpp = function
| Eq -> Eq
| Lt -> Gt
| Gt -> Lt

type ('a, 'p) sigT =
| ExistT of 'a * 'p

(** val projT1 : ('a1, 'a2) sigT -> 'a1 **)

let projT1 = function
| ExistT (a, _) -> a

(** val projT2 : ('a1, 'a2) sigT -> 'a2 **)

let projT2 = function
| ExistT (_, h0) -> h0



(** val pred : Bigint.t -> Bigint.t **)

let pred = (fun a -> Bigint.max Bigint.zero (Bigint.pred a))

module Coq__1 = struct
 (** val add : Bigint.t -> Bigint.t -> Bigint.t **)let rec add = Bigint.add
end
include Coq__1

(** val mul : Bigint.t -> Bigint.t -> Bigint.t **)

let rec mul = Bigint.mul

(** val sub : Bigint.t -> Bigint.t -> Bigint.t **)

let rec sub = (fun a b -> Bigint.max Bigint.zero (Bigint.sub a b))

type reflect =
| ReflectT
| ReflectF

module Pos =
 struct
  type mask =
  | IsNul
  | IsPos of Bigint.t
  | IsNeg
 end

module Coq_Pos =
 struct
  (** val succ : Bigint.t -> Bigint.t **)

  let rec succ x =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p -> (fun p -> Bigint.shift_left p 1) (succ p))
      (fun p -> (fun p -> Bigint.succ (Bigint.shift_left p 1)) p)
      (fun _ -> (fun p -> Bigint.shift_left p 1) Bigint.one)
      x

  (** val add : Bigint.t -> Bigint.t -> Bigint.t **)

  let rec add x y =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> (fun p -> Bigint.shift_left p 1) (add_carry p q))
        (fun q -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
        (add p q))
        (fun _ -> (fun p -> Bigint.shift_left p 1) (succ p))
        y)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
        (add p q))
        (fun q -> (fun p -> Bigint.shift_left p 1) (add p q))
        (fun _ -> (fun p -> Bigint.succ (Bigint.shift_left p 1)) p)
        y)
      (fun _ ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> (fun p -> Bigint.shift_left p 1) (succ q))
        (fun q -> (fun p -> Bigint.succ (Bigint.shift_left p 1)) q)
        (fun _ -> (fun p -> Bigint.shift_left p 1) Bigint.one)
        y)
      x

  (** val add_carry : Bigint.t -> Bigint.t -> Bigint.t **)

  and add_carry x y =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
        (add_carry p q))
        (fun q -> (fun p -> Bigint.shift_left p 1) (add_carry p q))
        (fun _ -> (fun p -> Bigint.succ (Bigint.shift_left p 1)) (succ p))
        y)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> (fun p -> Bigint.shift_left p 1) (add_carry p q))
        (fun q -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
        (add p q))
        (fun _ -> (fun p -> Bigint.shift_left p 1) (succ p))
        y)
      (fun _ ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
        (succ q))
        (fun q -> (fun p -> Bigint.shift_left p 1) (succ q))
        (fun _ -> (fun p -> Bigint.succ (Bigint.shift_left p 1)) Bigint.one)
        y)
      x

  (** val pred_double : Bigint.t -> Bigint.t **)

  let rec pred_double x =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.shift_left p 1) p))
      (fun p -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
      (pred_double p))
      (fun _ -> Bigint.one)
      x

  type mask = Pos.mask =
  | IsNul
  | IsPos of Bigint.t
  | IsNeg

  (** val succ_double_mask : mask -> mask **)

  let succ_double_mask = function
  | IsNul -> IsPos Bigint.one
  | IsPos p -> IsPos ((fun p -> Bigint.succ (Bigint.shift_left p 1)) p)
  | IsNeg -> IsNeg

  (** val double_mask : mask -> mask **)

  let double_mask = function
  | IsPos p -> IsPos ((fun p -> Bigint.shift_left p 1) p)
  | x0 -> x0

  (** val double_pred_mask : Bigint.t -> mask **)

  let double_pred_mask x =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p -> IsPos ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) p)))
      (fun p -> IsPos ((fun p -> Bigint.shift_left p 1)
      (pred_double p)))
      (fun _ -> IsNul)
      x

  (** val sub_mask : Bigint.t -> Bigint.t -> mask **)

  let rec sub_mask x y =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> double_mask (sub_mask p q))
        (fun q -> succ_double_mask (sub_mask p q))
        (fun _ -> IsPos ((fun p -> Bigint.shift_left p 1) p))
        y)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> succ_double_mask (sub_mask_carry p q))
        (fun q -> double_mask (sub_mask p q))
        (fun _ -> IsPos (pred_double p))
        y)
      (fun _ ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun _ -> IsNeg)
        (fun _ -> IsNeg)
        (fun _ -> IsNul)
        y)
      x

  (** val sub_mask_carry : Bigint.t -> Bigint.t -> mask **)

  and sub_mask_carry x y =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> succ_double_mask (sub_mask_carry p q))
        (fun q -> double_mask (sub_mask p q))
        (fun _ -> IsPos (pred_double p))
        y)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> double_mask (sub_mask_carry p q))
        (fun q -> succ_double_mask (sub_mask_carry p q))
        (fun _ -> double_pred_mask p)
        y)
      (fun _ -> IsNeg)
      x

  (** val sub : Bigint.t -> Bigint.t -> Bigint.t **)

  let sub x y =
    match sub_mask x y with
    | IsPos z0 -> z0
    | _ -> Bigint.one

  (** val mul : Bigint.t -> Bigint.t -> Bigint.t **)

  let rec mul = Bigint.mul

  (** val iter : ('a1 -> 'a1) -> 'a1 -> Bigint.t -> 'a1 **)

  let rec iter f x n0 =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun n' -> f (iter f (iter f x n') n'))
      (fun n' -> iter f (iter f x n') n')
      (fun _ -> f x)
      n0

  (** val div2 : Bigint.t -> Bigint.t **)

  let div2 p =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p0 -> p0)
      (fun p0 -> p0)
      (fun _ -> Bigint.one)
      p

  (** val div2_up : Bigint.t -> Bigint.t **)

  let div2_up p =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p0 -> succ p0)
      (fun p0 -> p0)
      (fun _ -> Bigint.one)
      p

  (** val size_nat : Bigint.t -> Bigint.t **)

  let rec size_nat p =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p0 -> Bigint.succ (size_nat p0))
      (fun p0 -> Bigint.succ (size_nat p0))
      (fun _ -> Bigint.succ Bigint.zero)
      p

  (** val size : Bigint.t -> Bigint.t **)

  let rec size p =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p0 -> succ (size p0))
      (fun p0 -> succ (size p0))
      (fun _ -> Bigint.one)
      p

  (** val compare_cont : comparison -> Bigint.t -> Bigint.t -> comparison **)

  let rec compare_cont r x y =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> compare_cont r p q)
        (fun q -> compare_cont Gt p q)
        (fun _ -> Gt)
        y)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> compare_cont Lt p q)
        (fun q -> compare_cont r p q)
        (fun _ -> Gt)
        y)
      (fun _ ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun _ -> Lt)
        (fun _ -> Lt)
        (fun _ -> r)
        y)
      x

  (** val compare : Bigint.t -> Bigint.t -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : Bigint.t -> Bigint.t -> bool **)

  let rec eqb = Bigint.equal

  (** val leb : Bigint.t -> Bigint.t -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val sqrtrem_step :
      (Bigint.t -> Bigint.t) -> (Bigint.t -> Bigint.t) -> (Bigint.t * mask)
      -> Bigint.t * mask **)

  let sqrtrem_step f g = function
  | (s, y) ->
    (match y with
     | IsPos r ->
       let s' = (fun p -> Bigint.succ (Bigint.shift_left p 1))
         ((fun p -> Bigint.shift_left p 1) s)
       in
       let r' = g (f r) in
       if leb s' r'
       then (((fun p -> Bigint.succ (Bigint.shift_left p 1)) s),
              (sub_mask r' s'))
       else (((fun p -> Bigint.shift_left p 1) s), (IsPos r'))
     | _ ->
       (((fun p -> Bigint.shift_left p 1) s),
         (sub_mask (g (f Bigint.one)) ((fun p -> Bigint.shift_left p 1)
           ((fun p -> Bigint.shift_left p 1) Bigint.one)))))

  (** val sqrtrem : Bigint.t -> Bigint.t * mask **)

  let rec sqrtrem p =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p0 ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun p1 ->
        sqrtrem_step (fun x -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
          x) (fun x -> (fun p -> Bigint.succ (Bigint.shift_left p 1)) x)
          (sqrtrem p1))
        (fun p1 ->
        sqrtrem_step (fun x -> (fun p -> Bigint.shift_left p 1) x) (fun x ->
          (fun p -> Bigint.succ (Bigint.shift_left p 1)) x) (sqrtrem p1))
        (fun _ -> (Bigint.one, (IsPos ((fun p -> Bigint.shift_left p 1)
        Bigint.one))))
        p0)
      (fun p0 ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun p1 ->
        sqrtrem_step (fun x -> (fun p -> Bigint.succ (Bigint.shift_left p 1))
          x) (fun x -> (fun p -> Bigint.shift_left p 1) x) (sqrtrem p1))
        (fun p1 ->
        sqrtrem_step (fun x -> (fun p -> Bigint.shift_left p 1) x) (fun x ->
          (fun p -> Bigint.shift_left p 1) x) (sqrtrem p1))
        (fun _ -> (Bigint.one, (IsPos Bigint.one)))
        p0)
      (fun _ -> (Bigint.one, IsNul))
      p

  (** val sqrt : Bigint.t -> Bigint.t **)

  let sqrt p =
    fst (sqrtrem p)

  (** val gcdn : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t **)

  let rec gcdn n0 a b =
    (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
      (fun _ -> Bigint.one)
      (fun n1 ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun a' ->
        (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
          (fun b' ->
          match compare a' b' with
          | Eq -> a
          | Lt -> gcdn n1 (sub b' a') a
          | Gt -> gcdn n1 (sub a' b') b)
          (fun b0 -> gcdn n1 a b0)
          (fun _ -> Bigint.one)
          b)
        (fun a0 ->
        (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
          (fun _ -> gcdn n1 a0 b)
          (fun b0 -> (fun p -> Bigint.shift_left p 1)
          (gcdn n1 a0 b0))
          (fun _ -> Bigint.one)
          b)
        (fun _ -> Bigint.one)
        a)
      n0

  (** val gcd : Bigint.t -> Bigint.t -> Bigint.t **)

  let gcd a b =
    gcdn (Coq__1.add (size_nat a) (size_nat b)) a b

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> Bigint.t -> 'a1 -> 'a1 **)

  let rec iter_op op0 p a =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p0 -> op0 a (iter_op op0 p0 (op0 a a)))
      (fun p0 -> iter_op op0 p0 (op0 a a))
      (fun _ -> a)
      p

  (** val to_nat : Bigint.t -> Bigint.t **)

  let to_nat x =
    iter_op Coq__1.add x (Bigint.succ Bigint.zero)

  (** val of_succ_nat : Bigint.t -> Bigint.t **)

  let rec of_succ_nat n0 =
    (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
      (fun _ -> Bigint.one)
      (fun x -> succ (of_succ_nat x))
      n0
 end

module Z =
 struct
  (** val double : Bigint.t -> Bigint.t **)

  let double x =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> Bigint.zero)
      (fun p -> (fun p -> p) ((fun p -> Bigint.shift_left p 1) p))
      (fun p -> Bigint.neg ((fun p -> Bigint.shift_left p 1) p))
      x

  (** val succ_double : Bigint.t -> Bigint.t **)

  let succ_double x =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> (fun p -> p) Bigint.one)
      (fun p -> (fun p -> p) ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      p))
      (fun p -> Bigint.neg (Coq_Pos.pred_double p))
      x

  (** val pred_double : Bigint.t -> Bigint.t **)

  let pred_double x =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> Bigint.neg Bigint.one)
      (fun p -> (fun p -> p) (Coq_Pos.pred_double p))
      (fun p -> Bigint.neg ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      p))
      x

  (** val pos_sub : Bigint.t -> Bigint.t -> Bigint.t **)

  let rec pos_sub x y =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> double (pos_sub p q))
        (fun q -> succ_double (pos_sub p q))
        (fun _ -> (fun p -> p) ((fun p -> Bigint.shift_left p 1) p))
        y)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> pred_double (pos_sub p q))
        (fun q -> double (pos_sub p q))
        (fun _ -> (fun p -> p) (Coq_Pos.pred_double p))
        y)
      (fun _ ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun q -> Bigint.neg ((fun p -> Bigint.shift_left p 1) q))
        (fun q -> Bigint.neg (Coq_Pos.pred_double q))
        (fun _ -> Bigint.zero)
        y)
      x

  (** val add : Bigint.t -> Bigint.t -> Bigint.t **)

  let add = Bigint.add

  (** val opp : Bigint.t -> Bigint.t **)

  let opp = Bigint.neg

  (** val sub : Bigint.t -> Bigint.t -> Bigint.t **)

  let sub = Bigint.sub

  (** val mul : Bigint.t -> Bigint.t -> Bigint.t **)

  let mul = Bigint.mul

  (** val pow_pos : Bigint.t -> Bigint.t -> Bigint.t **)

  let pow_pos z0 =
    Coq_Pos.iter (mul z0) ((fun p -> p) Bigint.one)

  (** val pow : Bigint.t -> Bigint.t -> Bigint.t **)

  let pow x y =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> (fun p -> p) Bigint.one)
      (fun p -> pow_pos x p)
      (fun _ -> Bigint.zero)
      y

  (** val compare : Bigint.t -> Bigint.t -> comparison **)

  let compare x y =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ ->
      (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
        (fun _ -> Eq)
        (fun _ -> Lt)
        (fun _ -> Gt)
        y)
      (fun x' ->
      (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
        (fun _ -> Gt)
        (fun y' -> Coq_Pos.compare x' y')
        (fun _ -> Gt)
        y)
      (fun x' ->
      (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
        (fun _ -> Lt)
        (fun _ -> Lt)
        (fun y' -> compOpp (Coq_Pos.compare x' y'))
        y)
      x

  (** val leb : Bigint.t -> Bigint.t -> bool **)

  let leb = Bigint.leq

  (** val ltb : Bigint.t -> Bigint.t -> bool **)

  let ltb = Bigint.lt

  (** val eqb : Bigint.t -> Bigint.t -> bool **)

  let eqb = Bigint.equal

  (** val max : Bigint.t -> Bigint.t -> Bigint.t **)

  let max = Bigint.max

  (** val min : Bigint.t -> Bigint.t -> Bigint.t **)

  let min = Bigint.min

  (** val abs : Bigint.t -> Bigint.t **)

  let abs z0 =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> Bigint.zero)
      (fun p -> (fun p -> p) p)
      (fun p -> (fun p -> p) p)
      z0

  (** val to_nat : Bigint.t -> Bigint.t **)

  let to_nat z0 =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> Bigint.zero)
      (fun p -> Coq_Pos.to_nat p)
      (fun _ -> Bigint.zero)
      z0

  (** val of_nat : Bigint.t -> Bigint.t **)

  let of_nat = (fun n -> n)

  (** val to_pos : Bigint.t -> Bigint.t **)

  let to_pos = (fun z -> if Bigint.sign z <= 0 then Bigint.one else z)

  (** val pos_div_eucl : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t **)

  let rec pos_div_eucl a b =
    (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' =
        add
          (mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one)) r)
          ((fun p -> p) Bigint.one)
      in
      if ltb r' b
      then ((mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
              q), r')
      else ((add
              (mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
                Bigint.one)) q) ((fun p -> p) Bigint.one)), (sub r' b)))
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' =
        mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one)) r
      in
      if ltb r' b
      then ((mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
              q), r')
      else ((add
              (mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
                Bigint.one)) q) ((fun p -> p) Bigint.one)), (sub r' b)))
      (fun _ ->
      if leb ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one)) b
      then (Bigint.zero, ((fun p -> p) Bigint.one))
      else (((fun p -> p) Bigint.one), Bigint.zero))
      a

  (** val div_eucl : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t **)

  let div_eucl a b =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> (Bigint.zero, Bigint.zero))
      (fun a' ->
      (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
        (fun _ -> (Bigint.zero, a))
        (fun _ -> pos_div_eucl a' b)
        (fun b' ->
        let (q, r) = pos_div_eucl a' ((fun p -> p) b') in
        ((fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
           (fun _ -> ((opp q), Bigint.zero))
           (fun _ -> ((opp (add q ((fun p -> p) Bigint.one))),
           (add b r)))
           (fun _ -> ((opp (add q ((fun p -> p) Bigint.one))), (add b r)))
           r))
        b)
      (fun a' ->
      (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
        (fun _ -> (Bigint.zero, a))
        (fun _ ->
        let (q, r) = pos_div_eucl a' b in
        ((fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
           (fun _ -> ((opp q), Bigint.zero))
           (fun _ -> ((opp (add q ((fun p -> p) Bigint.one))),
           (sub b r)))
           (fun _ -> ((opp (add q ((fun p -> p) Bigint.one))), (sub b r)))
           r))
        (fun b' ->
        let (q, r) = pos_div_eucl a' ((fun p -> p) b') in (q, (opp r)))
        b)
      a

  (** val div : Bigint.t -> Bigint.t -> Bigint.t **)

  let div = (fun a b -> if Bigint.sign b <= 0 then invalid_arg "div" else Bigint.ediv a b)

  (** val modulo : Bigint.t -> Bigint.t -> Bigint.t **)

  let modulo = (fun a b -> if Bigint.sign b <= 0 then invalid_arg "modulo" else Bigint.erem a b)

  (** val odd : Bigint.t -> bool **)

  let odd z0 =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> false)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun _ -> true)
        (fun _ -> false)
        (fun _ -> true)
        p)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun _ -> true)
        (fun _ -> false)
        (fun _ -> true)
        p)
      z0

  (** val div2 : Bigint.t -> Bigint.t **)

  let div2 z0 =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> Bigint.zero)
      (fun p ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun _ -> (fun p -> p) (Coq_Pos.div2 p))
        (fun _ -> (fun p -> p) (Coq_Pos.div2 p))
        (fun _ -> Bigint.zero)
        p)
      (fun p -> Bigint.neg (Coq_Pos.div2_up p))
      z0

  (** val log2 : Bigint.t -> Bigint.t **)

  let log2 z0 =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> Bigint.zero)
      (fun p0 ->
      (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
        (fun p -> (fun p -> p) (Coq_Pos.size p))
        (fun p -> (fun p -> p) (Coq_Pos.size p))
        (fun _ -> Bigint.zero)
        p0)
      (fun _ -> Bigint.zero)
      z0

  (** val sqrt : Bigint.t -> Bigint.t **)

  let sqrt n0 =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> Bigint.zero)
      (fun p -> (fun p -> p) (Coq_Pos.sqrt p))
      (fun _ -> Bigint.zero)
      n0

  (** val gcd : Bigint.t -> Bigint.t -> Bigint.t **)

  let gcd a b =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> abs b)
      (fun a0 ->
      (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
        (fun _ -> abs a)
        (fun b0 -> (fun p -> p) (Coq_Pos.gcd a0 b0))
        (fun b0 -> (fun p -> p) (Coq_Pos.gcd a0 b0))
        b)
      (fun a0 ->
      (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
        (fun _ -> abs a)
        (fun b0 -> (fun p -> p) (Coq_Pos.gcd a0 b0))
        (fun b0 -> (fun p -> p) (Coq_Pos.gcd a0 b0))
        b)
      a

  (** val shiftl : Bigint.t -> Bigint.t -> Bigint.t **)

  let shiftl a n0 =
    (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
      (fun _ -> a)
      (fun p ->
      Coq_Pos.iter
        (mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))) a p)
      (fun p -> Coq_Pos.iter div2 a p)
      n0

  (** val shiftr : Bigint.t -> Bigint.t -> Bigint.t **)

  let shiftr = (fun a k -> if Bigint.sign k < 0 then invalid_arg "shiftr" else Bigint.shift_right a (Bigint.to_int k))

  (** val lcm : Bigint.t -> Bigint.t -> Bigint.t **)

  let lcm a b =
    abs (mul a (div b (gcd a b)))
 end

module Option =
 struct
  (** val apply : ('a1 -> 'a2) -> 'a2 -> 'a1 option -> 'a2 **)

  let apply f x = function
  | Some y -> f y
  | None -> x

  (** val default : 'a1 -> 'a1 option -> 'a1 **)

  let default x =
    apply (fun x0 -> x0) x

  (** val bind : ('a1 -> 'a2 option) -> 'a1 option -> 'a2 option **)

  let bind f =
    apply f None

  (** val map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

  let map f =
    bind (fun x -> Some (f x))
 end

type ('aT, 'rT) simpl_fun =
  'aT -> 'rT
  (* singleton inductive, whose constructor was SimplFun *)

(** val fun_of_simpl : ('a1, 'a2) simpl_fun -> 'a1 -> 'a2 **)

let fun_of_simpl f =
  f

(** val comp : ('a2 -> 'a1) -> ('a3 -> 'a2) -> 'a3 -> 'a1 **)

let comp f g x =
  f (g x)

(** val pcomp :
    ('a2 -> 'a1 option) -> ('a3 -> 'a2 option) -> 'a3 -> 'a1 option **)

let pcomp f g x =
  Option.bind f (g x)

(** val tag : ('a1, 'a2) sigT -> 'a1 **)

let tag =
  projT1

(** val tagged : ('a1, 'a2) sigT -> 'a2 **)

let tagged =
  projT2

(** val tagged0 : 'a1 -> 'a2 -> ('a1, 'a2) sigT **)

let tagged0 i x =
  ExistT (i, x)

(** val addb : bool -> bool -> bool **)

let addb = function
| true -> negb
| false -> (fun x -> x)

(** val isSome : 'a1 option -> bool **)

let isSome = function
| Some _ -> true
| None -> false

(** val is_left : bool -> bool **)

let is_left = function
| true -> true
| false -> false

(** val iffP : bool -> reflect -> reflect **)

let iffP _ pb =
  let _evar_0_ = fun _ _ _ -> ReflectT in
  let _evar_0_0 = fun _ _ _ -> ReflectF in
  (match pb with
   | ReflectT -> _evar_0_ __ __ __
   | ReflectF -> _evar_0_0 __ __ __)

(** val idP : bool -> reflect **)

let idP = function
| true -> ReflectT
| false -> ReflectF

(** val andP : bool -> bool -> reflect **)

let andP b1 b2 =
  if b1 then if b2 then ReflectT else ReflectF else ReflectF

type 't pred0 = 't -> bool

type 't predType =
  __ -> 't pred0
  (* singleton inductive, whose constructor was PredType *)

type 't pred_sort = __

type 't simpl_pred = ('t, bool) simpl_fun

(** val simplPred : 'a1 pred0 -> 'a1 simpl_pred **)

let simplPred p =
  p

module PredOfSimpl =
 struct
  (** val coerce : 'a1 simpl_pred -> 'a1 pred0 **)

  let coerce =
    fun_of_simpl
 end

type 't rel = 't -> 't pred0

type 't mem_pred =
  't pred0
  (* singleton inductive, whose constructor was Mem *)

(** val pred_of_mem : 'a1 mem_pred -> 'a1 pred_sort **)

let pred_of_mem mp =
  Obj.magic mp

(** val in_mem : 'a1 -> 'a1 mem_pred -> bool **)

let in_mem x mp =
  Obj.magic pred_of_mem mp x

(** val simpl_of_mem : 'a1 mem_pred -> 'a1 simpl_pred **)

let simpl_of_mem mp =
  simplPred (fun x -> in_mem x mp)

(** val mem : 'a1 predType -> 'a1 pred_sort -> 'a1 mem_pred **)

let mem pT =
  pT

module Equality =
 struct
  type 't axiom = 't -> 't -> reflect

  type 't mixin_of = { op : 't rel; mixin_of__1 : 't axiom }

  (** val op : 'a1 mixin_of -> 'a1 rel **)

  let op m =
    m.op

  type coq_type =
    __ mixin_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  (** val coq_class : coq_type -> sort mixin_of **)

  let coq_class cT =
    cT
 end

(** val eq_op : Equality.coq_type -> Equality.sort rel **)

let eq_op t0 =
  (Equality.coq_class t0).Equality.op

(** val eqP : Equality.coq_type -> Equality.sort Equality.axiom **)

let eqP t0 =
  let _evar_0_ = fun _ a -> a in
  let { Equality.op = op0; Equality.mixin_of__1 = a } = t0 in _evar_0_ op0 a

(** val eqb0 : bool -> bool -> bool **)

let eqb0 b =
  addb (negb b)

(** val pred1 :
    Equality.coq_type -> Equality.sort -> Equality.sort simpl_pred **)

let pred1 t0 a1 =
  simplPred (fun x -> eq_op t0 x a1)

(** val inj_eqAxiom :
    Equality.coq_type -> ('a1 -> Equality.sort) -> 'a1 Equality.axiom **)

let inj_eqAxiom eT f x y =
  iffP (eq_op eT (f x) (f y)) (eqP eT (f x) (f y))

(** val injEqMixin :
    Equality.coq_type -> ('a1 -> Equality.sort) -> 'a1 Equality.mixin_of **)

let injEqMixin eT f =
  { Equality.op = (fun x y -> eq_op eT (f x) (f y)); Equality.mixin_of__1 =
    (inj_eqAxiom eT f) }

(** val canEqMixin :
    Equality.coq_type -> ('a1 -> Equality.sort) -> (Equality.sort -> 'a1) ->
    'a1 Equality.mixin_of **)

let canEqMixin eT f _ =
  injEqMixin eT f

(** val pair_eq :
    Equality.coq_type -> Equality.coq_type -> (Equality.sort * Equality.sort)
    rel **)

let pair_eq t1 t2 u v =
  (&&) (eq_op t1 (fst u) (fst v)) (eq_op t2 (snd u) (snd v))

(** val pair_eqP :
    Equality.coq_type -> Equality.coq_type -> (Equality.sort * Equality.sort)
    Equality.axiom **)

let pair_eqP t1 t2 __top_assumption_ =
  let _evar_0_ = fun x1 x2 __top_assumption_0 ->
    let _evar_0_ = fun y1 y2 ->
      iffP
        ((&&) (eq_op t1 (fst (x1, x2)) (fst (y1, y2)))
          (eq_op t2 (snd (x1, x2)) (snd (y1, y2))))
        (andP (eq_op t1 (fst (x1, x2)) (fst (y1, y2)))
          (eq_op t2 (snd (x1, x2)) (snd (y1, y2))))
    in
    let (a, b) = __top_assumption_0 in _evar_0_ a b
  in
  let (a, b) = __top_assumption_ in _evar_0_ a b

(** val prod_eqMixin :
    Equality.coq_type -> Equality.coq_type -> (Equality.sort * Equality.sort)
    Equality.mixin_of **)

let prod_eqMixin t1 t2 =
  { Equality.op = (pair_eq t1 t2); Equality.mixin_of__1 = (pair_eqP t1 t2) }

(** val prod_eqType :
    Equality.coq_type -> Equality.coq_type -> Equality.coq_type **)

let prod_eqType t1 t2 =
  Obj.magic prod_eqMixin t1 t2

(** val opt_eq :
    Equality.coq_type -> Equality.sort option -> Equality.sort option -> bool **)

let opt_eq t0 u v =
  Option.apply (fun x -> Option.apply (eq_op t0 x) false v) (negb (isSome v))
    u

(** val opt_eqP : Equality.coq_type -> Equality.sort option Equality.axiom **)

let opt_eqP t0 _top_assumption_ =
  let _evar_0_ = fun x __top_assumption_ ->
    let _evar_0_ = fun y -> iffP (eq_op t0 x y) (eqP t0 x y) in
    let _evar_0_0 = ReflectF in
    (match __top_assumption_ with
     | Some a -> _evar_0_ a
     | None -> _evar_0_0)
  in
  let _evar_0_0 = fun __top_assumption_ ->
    let _evar_0_0 = fun _ -> ReflectF in
    let _evar_0_1 = ReflectT in
    (match __top_assumption_ with
     | Some a -> _evar_0_0 a
     | None -> _evar_0_1)
  in
  (match _top_assumption_ with
   | Some a -> _evar_0_ a
   | None -> _evar_0_0)

(** val option_eqMixin :
    Equality.coq_type -> Equality.sort option Equality.mixin_of **)

let option_eqMixin t0 =
  { Equality.op = (opt_eq t0); Equality.mixin_of__1 = (opt_eqP t0) }

(** val option_eqType : Equality.coq_type -> Equality.coq_type **)

let option_eqType t0 =
  Obj.magic option_eqMixin t0

(** val tagged_as :
    Equality.coq_type -> (Equality.sort, 'a1) sigT -> (Equality.sort, 'a1)
    sigT -> 'a1 **)

let tagged_as i u v =
  match eqP i (tag u) (tag v) with
  | ReflectT -> tagged v
  | ReflectF -> tagged u

(** val tag_eq :
    Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
    (Equality.sort, Equality.sort) sigT -> (Equality.sort, Equality.sort)
    sigT -> bool **)

let tag_eq i t_ u v =
  (&&) (eq_op i (tag u) (tag v))
    (eq_op (t_ (tag u)) (tagged u) (tagged_as i u v))

(** val tag_eqP :
    Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
    (Equality.sort, Equality.sort) sigT Equality.axiom **)

let tag_eqP i t_ __top_assumption_ =
  let _evar_0_ = fun i0 x __top_assumption_0 ->
    let _evar_0_ = fun j ->
      let _evar_0_ = fun y ->
        iffP
          (eq_op (t_ i0) x (tagged_as i (ExistT (i0, x)) (ExistT (i0, y))))
          (eqP (t_ i0) x (tagged_as i (ExistT (i0, x)) (ExistT (i0, y))))
      in
      let _evar_0_0 = fun _ -> ReflectF in
      (match eqP i i0 j with
       | ReflectT -> _evar_0_
       | ReflectF -> _evar_0_0)
    in
    let ExistT (x0, p) = __top_assumption_0 in _evar_0_ x0 p
  in
  let ExistT (x, p) = __top_assumption_ in _evar_0_ x p

(** val tag_eqMixin :
    Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
    (Equality.sort, Equality.sort) sigT Equality.mixin_of **)

let tag_eqMixin i t_ =
  { Equality.op = (tag_eq i t_); Equality.mixin_of__1 = (tag_eqP i t_) }

(** val tag_eqType :
    Equality.coq_type -> (Equality.sort -> Equality.coq_type) ->
    Equality.coq_type **)

let tag_eqType i t_ =
  Obj.magic tag_eqMixin i t_

(** val sum_eq :
    Equality.coq_type -> Equality.coq_type -> (Equality.sort, Equality.sort)
    sum -> (Equality.sort, Equality.sort) sum -> bool **)

let sum_eq t1 t2 u v =
  match u with
  | Inl x -> (match v with
              | Inl y -> eq_op t1 x y
              | Inr _ -> false)
  | Inr x -> (match v with
              | Inl _ -> false
              | Inr y -> eq_op t2 x y)

(** val sum_eqP :
    Equality.coq_type -> Equality.coq_type -> (Equality.sort, Equality.sort)
    sum Equality.axiom **)

let sum_eqP t1 t2 _top_assumption_ =
  let _evar_0_ = fun x __top_assumption_ ->
    let _evar_0_ = fun y -> iffP (eq_op t1 x y) (eqP t1 x y) in
    let _evar_0_0 = fun _ -> ReflectF in
    (match __top_assumption_ with
     | Inl a -> _evar_0_ a
     | Inr b -> _evar_0_0 b)
  in
  let _evar_0_0 = fun x __top_assumption_ ->
    let _evar_0_0 = fun _ -> ReflectF in
    let _evar_0_1 = fun y -> iffP (eq_op t2 x y) (eqP t2 x y) in
    (match __top_assumption_ with
     | Inl a -> _evar_0_0 a
     | Inr b -> _evar_0_1 b)
  in
  (match _top_assumption_ with
   | Inl a -> _evar_0_ a
   | Inr b -> _evar_0_0 b)

(** val sum_eqMixin :
    Equality.coq_type -> Equality.coq_type -> (Equality.sort, Equality.sort)
    sum Equality.mixin_of **)

let sum_eqMixin t1 t2 =
  { Equality.op = (sum_eq t1 t2); Equality.mixin_of__1 = (sum_eqP t1 t2) }

(** val sum_eqType :
    Equality.coq_type -> Equality.coq_type -> Equality.coq_type **)

let sum_eqType t1 t2 =
  Obj.magic sum_eqMixin t1 t2

(** val eqn : Bigint.t -> Bigint.t -> bool **)

let rec eqn = Bigint.equal

(** val eqnP : Bigint.t Equality.axiom **)

let eqnP n0 m =
  iffP (eqn n0 m) (idP (eqn n0 m))

(** val nat_eqMixin : Bigint.t Equality.mixin_of **)

let nat_eqMixin =
  { Equality.op = eqn; Equality.mixin_of__1 = eqnP }

(** val nat_eqType : Equality.coq_type **)

let nat_eqType =
  Obj.magic nat_eqMixin

(** val addn_rec : Bigint.t -> Bigint.t -> Bigint.t **)

let addn_rec =
  add

(** val addn : Bigint.t -> Bigint.t -> Bigint.t **)

let addn =
  addn_rec

(** val subn_rec : Bigint.t -> Bigint.t -> Bigint.t **)

let subn_rec =
  sub

(** val subn : Bigint.t -> Bigint.t -> Bigint.t **)

let subn =
  subn_rec

(** val leq : Bigint.t -> Bigint.t -> bool **)

let leq m n0 =
  eq_op nat_eqType (Obj.magic subn m n0) (Obj.magic Bigint.zero)

(** val maxn : Bigint.t -> Bigint.t -> Bigint.t **)

let maxn m n0 =
  if leq (Bigint.succ m) n0 then n0 else m

(** val minn : Bigint.t -> Bigint.t -> Bigint.t **)

let minn m n0 =
  if leq (Bigint.succ m) n0 then m else n0

(** val iter0 : Bigint.t -> ('a1 -> 'a1) -> 'a1 -> 'a1 **)

let rec iter0 n0 f x =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> x)
    (fun i -> f (iter0 i f x))
    n0

(** val iteri : Bigint.t -> (Bigint.t -> 'a1 -> 'a1) -> 'a1 -> 'a1 **)

let rec iteri n0 f x =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> x)
    (fun i -> f i (iteri i f x))
    n0

(** val iterop : Bigint.t -> ('a1 -> 'a1 -> 'a1) -> 'a1 -> 'a1 -> 'a1 **)

let iterop n0 op0 x =
  let f = fun i y ->
    (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
      (fun _ -> x)
      (fun _ -> op0 x y)
      i
  in
  iteri n0 f

(** val muln_rec : Bigint.t -> Bigint.t -> Bigint.t **)

let muln_rec =
  mul

(** val muln : Bigint.t -> Bigint.t -> Bigint.t **)

let muln =
  muln_rec

(** val expn_rec : Bigint.t -> Bigint.t -> Bigint.t **)

let expn_rec m n0 =
  iterop n0 muln m (Bigint.succ Bigint.zero)

(** val expn : Bigint.t -> Bigint.t -> Bigint.t **)

let expn =
  expn_rec

(** val nat_of_bool : bool -> Bigint.t **)

let nat_of_bool = function
| true -> Bigint.succ Bigint.zero
| false -> Bigint.zero

(** val odd0 : Bigint.t -> bool **)

let rec odd0 n0 =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> false)
    (fun n' -> negb (odd0 n'))
    n0

(** val double_rec : Bigint.t -> Bigint.t **)

let rec double_rec n0 =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> Bigint.zero)
    (fun n' -> Bigint.succ (Bigint.succ (double_rec n')))
    n0

(** val double0 : Bigint.t -> Bigint.t **)

let double0 =
  double_rec

(** val half : Bigint.t -> Bigint.t **)

let rec half n0 =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> n0)
    (fun n' -> uphalf n')
    n0

(** val uphalf : Bigint.t -> Bigint.t **)

and uphalf n0 =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> n0)
    (fun n' -> Bigint.succ (half n'))
    n0

(** val size0 : 'a1 list -> Bigint.t **)

let rec size0 = (fun s -> Bigint.of_int (List.length s))

(** val nilp : 'a1 list -> bool **)

let nilp s =
  eq_op nat_eqType (Obj.magic size0 s) (Obj.magic Bigint.zero)

(** val ohead : 'a1 list -> 'a1 option **)

let ohead = function
| [] -> None
| x :: _ -> Some x

(** val head : 'a1 -> 'a1 list -> 'a1 **)

let head x0 = function
| [] -> x0
| x :: _ -> x

(** val behead : 'a1 list -> 'a1 list **)

let behead = function
| [] -> []
| _ :: s' -> s'

(** val ncons : Bigint.t -> 'a1 -> 'a1 list -> 'a1 list **)

let ncons n0 x =
  iter0 n0 (fun x0 -> x :: x0)

(** val nseq : Bigint.t -> 'a1 -> 'a1 list **)

let nseq n0 x =
  ncons n0 x []

(** val cat : 'a1 list -> 'a1 list -> 'a1 list **)

let rec cat s1 s2 =
  match s1 with
  | [] -> s2
  | x :: s1' -> x :: (cat s1' s2)

(** val rcons : 'a1 list -> 'a1 -> 'a1 list **)

let rec rcons s z0 =
  match s with
  | [] -> z0 :: []
  | x :: s' -> x :: (rcons s' z0)

(** val last : 'a1 -> 'a1 list -> 'a1 **)

let rec last x = function
| [] -> x
| x' :: s' -> last x' s'

(** val nth : 'a1 -> 'a1 list -> Bigint.t -> 'a1 **)

let rec nth = (fun x0 s n -> let rec at k = function [] -> x0 | x :: s -> if k <= 0 then x else at (k - 1) s in at (Bigint.to_int n) s)

(** val find : 'a1 pred0 -> 'a1 list -> Bigint.t **)

let rec find a = function
| [] -> Bigint.zero
| x :: s' -> if a x then Bigint.zero else Bigint.succ (find a s')

(** val filter : 'a1 pred0 -> 'a1 list -> 'a1 list **)

let rec filter a = function
| [] -> []
| x :: s' -> if a x then x :: (filter a s') else filter a s'

(** val count : 'a1 pred0 -> 'a1 list -> Bigint.t **)

let rec count a = function
| [] -> Bigint.zero
| x :: s' -> addn (nat_of_bool (a x)) (count a s')

(** val has : 'a1 pred0 -> 'a1 list -> bool **)

let rec has a = function
| [] -> false
| x :: s' -> (||) (a x) (has a s')

(** val all : 'a1 pred0 -> 'a1 list -> bool **)

let rec all a = function
| [] -> true
| x :: s' -> (&&) (a x) (all a s')

(** val drop : Bigint.t -> 'a1 list -> 'a1 list **)

let rec drop n0 s = match s with
| [] -> s
| _ :: s' ->
  ((fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
     (fun _ -> s)
     (fun n' -> drop n' s')
     n0)

(** val take : Bigint.t -> 'a1 list -> 'a1 list **)

let rec take n0 = function
| [] -> []
| x :: s' ->
  ((fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
     (fun _ -> [])
     (fun n' -> x :: (take n' s'))
     n0)

(** val catrev : 'a1 list -> 'a1 list -> 'a1 list **)

let rec catrev s1 s2 =
  match s1 with
  | [] -> s2
  | x :: s1' -> catrev s1' (x :: s2)

(** val rev : 'a1 list -> 'a1 list **)

let rev s =
  catrev s []

(** val eqseq :
    Equality.coq_type -> Equality.sort list -> Equality.sort list -> bool **)

let rec eqseq t0 s1 s2 =
  match s1 with
  | [] -> (match s2 with
           | [] -> true
           | _ :: _ -> false)
  | x1 :: s1' ->
    (match s2 with
     | [] -> false
     | x2 :: s2' -> (&&) (eq_op t0 x1 x2) (eqseq t0 s1' s2'))

(** val eqseqP : Equality.coq_type -> Equality.sort list Equality.axiom **)

let eqseqP t0 _top_assumption_ =
  let _evar_0_ = fun __top_assumption_ ->
    let _evar_0_ = ReflectT in
    let _evar_0_0 = fun _ _ -> ReflectF in
    (match __top_assumption_ with
     | [] -> _evar_0_
     | a :: l -> _evar_0_0 a l)
  in
  let _evar_0_0 = fun x1 s1 iHs __top_assumption_ ->
    let _evar_0_0 = ReflectF in
    let _evar_0_1 = fun x2 s2 ->
      let __top_assumption_0 = eqP t0 x1 x2 in
      let _evar_0_1 = fun _ -> iffP (eqseq t0 s1 s2) (iHs s2) in
      let _evar_0_2 = fun _ -> ReflectF in
      (match __top_assumption_0 with
       | ReflectT -> _evar_0_1 __
       | ReflectF -> _evar_0_2 __)
    in
    (match __top_assumption_ with
     | [] -> _evar_0_0
     | a :: l -> _evar_0_1 a l)
  in
  let rec f = function
  | [] -> _evar_0_
  | y :: l0 -> _evar_0_0 y l0 (f l0)
  in f _top_assumption_

(** val seq_eqMixin :
    Equality.coq_type -> Equality.sort list Equality.mixin_of **)

let seq_eqMixin t0 =
  { Equality.op = (eqseq t0); Equality.mixin_of__1 = (eqseqP t0) }

(** val seq_eqType : Equality.coq_type -> Equality.coq_type **)

let seq_eqType t0 =
  Obj.magic seq_eqMixin t0

(** val mem_seq :
    Equality.coq_type -> Equality.sort list -> Equality.sort -> bool **)

let rec mem_seq t0 = function
| [] -> (fun _ -> false)
| y :: s' -> let p = mem_seq t0 s' in (fun x -> (||) (eq_op t0 x y) (p x))

type seq_eqclass = Equality.sort list

(** val pred_of_seq :
    Equality.coq_type -> seq_eqclass -> Equality.sort pred_sort **)

let pred_of_seq t0 s =
  Obj.magic mem_seq t0 s

(** val seq_predType : Equality.coq_type -> Equality.sort predType **)

let seq_predType t0 =
  Obj.magic pred_of_seq t0

(** val uniq : Equality.coq_type -> Equality.sort list -> bool **)

let rec uniq t0 = function
| [] -> true
| x :: s' ->
  (&&) (negb (in_mem x (mem (seq_predType t0) (Obj.magic s')))) (uniq t0 s')

(** val undup :
    Equality.coq_type -> Equality.sort list -> Equality.sort list **)

let rec undup t0 = function
| [] -> []
| x :: s' ->
  if in_mem x (mem (seq_predType t0) (Obj.magic s'))
  then undup t0 s'
  else x :: (undup t0 s')

(** val index :
    Equality.coq_type -> Equality.sort -> Equality.sort list -> Bigint.t **)

let index t0 x =
  find (PredOfSimpl.coerce (pred1 t0 x))

(** val perm_eq :
    Equality.coq_type -> Equality.sort list -> Equality.sort list -> bool **)

let perm_eq t0 s1 s2 =
  all
    (PredOfSimpl.coerce
      (simplPred (fun x ->
        eq_op nat_eqType
          (Obj.magic count (PredOfSimpl.coerce (pred1 t0 x)) s1)
          (Obj.magic count (PredOfSimpl.coerce (pred1 t0 x)) s2))))
    (cat s1 s2)

(** val rem :
    Equality.coq_type -> Equality.sort -> Equality.sort list -> Equality.sort
    list **)

let rec rem t0 x s = match s with
| [] -> s
| y :: t1 -> if eq_op t0 y x then t1 else y :: (rem t0 x t1)

(** val map0 : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map0 f = function
| [] -> []
| x :: s' -> (f x) :: (map0 f s')

(** val pmap : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list **)

let rec pmap f = function
| [] -> []
| x :: s' -> let r = pmap f s' in Option.apply (fun x0 -> x0 :: r) r (f x)

(** val iota : Bigint.t -> Bigint.t -> Bigint.t list **)

let rec iota m n0 =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> [])
    (fun n' -> m :: (iota (Bigint.succ m) n'))
    n0

(** val mkseq : (Bigint.t -> 'a1) -> Bigint.t -> 'a1 list **)

let mkseq f n0 =
  map0 f (iota Bigint.zero n0)

(** val foldr : ('a1 -> 'a2 -> 'a2) -> 'a2 -> 'a1 list -> 'a2 **)

let rec foldr f z0 = function
| [] -> z0
| x :: s' -> f x (foldr f z0 s')

(** val sumn : Bigint.t list -> Bigint.t **)

let sumn =
  foldr addn Bigint.zero

(** val foldl : ('a2 -> 'a1 -> 'a2) -> 'a2 -> 'a1 list -> 'a2 **)

let rec foldl f z0 = function
| [] -> z0
| x :: s' -> foldl f (f z0 x) s'

(** val zip : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec zip s t0 =
  match s with
  | [] -> []
  | x :: s' -> (match t0 with
                | [] -> []
                | y :: t' -> (x, y) :: (zip s' t'))

(** val unzip1 : ('a1 * 'a2) list -> 'a1 list **)

let unzip1 s =
  map0 fst s

(** val unzip2 : ('a1 * 'a2) list -> 'a2 list **)

let unzip2 s =
  map0 snd s

(** val flatten : 'a1 list list -> 'a1 list **)

let flatten s =
  foldr cat [] s

(** val pairwise : ('a1 -> 'a1 -> bool) -> 'a1 list -> bool **)

let rec pairwise r = function
| [] -> true
| x :: xs0 -> (&&) (all (r x) xs0) (pairwise r xs0)

module CodeSeq =
 struct
  (** val code : Bigint.t list -> Bigint.t **)

  let code =
    foldr (fun n0 m ->
      muln (expn (Bigint.succ (Bigint.succ Bigint.zero)) n0) (Bigint.succ
        (double0 m))) Bigint.zero

  (** val decode_rec : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list **)

  let rec decode_rec v q r =
    (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
      (fun _ -> v :: [])
      (fun q' ->
      (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
        (fun _ -> v :: (decode_rec Bigint.zero q' q'))
        (fun n0 ->
        (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
          (fun _ -> decode_rec (Bigint.succ v) q' q')
          (fun r' -> decode_rec v q' r')
          n0)
        r)
      q

  (** val decode : Bigint.t -> Bigint.t list **)

  let decode n0 =
    (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
      (fun _ -> [])
      (fun _ -> decode_rec Bigint.zero (pred n0) (pred n0))
      n0
 end

(** val seq_of_opt : 'a1 option -> 'a1 list **)

let seq_of_opt u =
  Option.apply (nseq (Bigint.succ Bigint.zero)) [] u

(** val tag_of_pair : ('a1 * 'a2) -> ('a1, 'a2) sigT **)

let tag_of_pair p =
  tagged0 (fst p) (snd p)

(** val pair_of_tag : ('a1, 'a2) sigT -> 'a1 * 'a2 **)

let pair_of_tag u =
  ((tag u), (tagged u))

(** val opair_of_sum : ('a1, 'a2) sum -> 'a1 option * 'a2 option **)

let opair_of_sum = function
| Inl x -> ((Some x), None)
| Inr y -> (None, (Some y))

(** val sum_of_opair : ('a1 option * 'a2 option) -> ('a1, 'a2) sum option **)

let sum_of_opair p =
  Option.apply (comp (fun x -> Some x) (fun x -> Inr x))
    (Option.map (fun x -> Inl x) (fst p)) (snd p)

module Choice =
 struct
  type 't mixin_of =
    't pred0 -> Bigint.t -> 't option
    (* singleton inductive, whose constructor was Mixin *)

  (** val find : 'a1 mixin_of -> 'a1 pred0 -> Bigint.t -> 'a1 option **)

  let find m =
    m

  type 't class_of = { base : 't Equality.mixin_of; mixin : 't mixin_of }

  (** val base : 'a1 class_of -> 'a1 Equality.mixin_of **)

  let base c =
    c.base

  (** val mixin : 'a1 class_of -> 'a1 mixin_of **)

  let mixin c =
    c.mixin

  type coq_type =
    __ class_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  (** val coq_class : coq_type -> sort class_of **)

  let coq_class cT =
    cT

  (** val pack :
      'a1 mixin_of -> 'a1 Equality.mixin_of -> Equality.coq_type -> coq_type **)

  let pack m b _ =
    { base = (Obj.magic b); mixin = (Obj.magic m) }

  (** val eqType : coq_type -> Equality.coq_type **)

  let eqType cT =
    (coq_class cT).base

  module InternalTheory =
   struct
    (** val find : coq_type -> sort pred0 -> Bigint.t -> sort option **)

    let find t0 =
      find (coq_class t0).mixin
   end
 end

(** val pcanChoiceMixin :
    Choice.coq_type -> ('a1 -> Choice.sort) -> (Choice.sort -> 'a1 option) ->
    'a1 Choice.mixin_of **)

let pcanChoiceMixin t0 _ f' =
  let liftP = fun sP -> simplPred (fun x -> Option.apply sP false (f' x)) in
  let sf = fun sP n0 ->
    Option.bind f'
      (Choice.InternalTheory.find t0 (PredOfSimpl.coerce (liftP sP)) n0)
  in
  (fun sP -> fun_of_simpl (sf sP))

(** val canChoiceMixin :
    Choice.coq_type -> ('a1 -> Choice.sort) -> (Choice.sort -> 'a1) -> 'a1
    Choice.mixin_of **)

let canChoiceMixin t0 f f' =
  pcanChoiceMixin t0 f (fun y -> Some (f' y))

(** val seq_choiceMixin :
    Choice.coq_type -> Choice.sort list Choice.mixin_of **)

let seq_choiceMixin t0 =
  let r = fun f xs x -> f (x :: xs) in
  let f =
    let rec f sP ns xs =
      match ns with
      | [] -> if sP xs then Some xs else None
      | n0 :: ns1 ->
        let fr = fun_of_simpl (r (f sP ns1)) xs in
        Option.bind fr
          (Choice.InternalTheory.find t0 (fun x -> isSome (fr x)) n0)
    in f
  in
  (fun sP nn -> f sP (CodeSeq.decode nn) [])

(** val seq_choiceType : Choice.coq_type -> Choice.coq_type **)

let seq_choiceType t0 =
  { Choice.base = (Equality.coq_class (seq_eqType (Choice.eqType t0)));
    Choice.mixin = (Obj.magic seq_choiceMixin t0) }

(** val tagged_choiceMixin :
    Choice.coq_type -> (Choice.sort -> Choice.coq_type) -> (Choice.sort,
    Choice.sort) sigT Choice.mixin_of **)

let tagged_choiceMixin i t_ =
  let ft = fun tP n0 i0 ->
    Option.map (tagged0 i0)
      (Choice.InternalTheory.find (t_ i0) (comp tP (tagged0 i0)) n0)
  in
  let fi = fun tP ni nt ->
    Option.bind (ft tP nt)
      (Choice.InternalTheory.find i (fun i0 -> isSome (ft tP nt i0)) ni)
  in
  (fun tP n0 ->
  match CodeSeq.decode n0 with
  | [] -> None
  | ni :: l ->
    (match l with
     | [] -> None
     | nt :: l0 -> (match l0 with
                    | [] -> fi tP ni nt
                    | _ :: _ -> None)))

(** val tagged_choiceType :
    Choice.coq_type -> (Choice.sort -> Choice.coq_type) -> Choice.coq_type **)

let tagged_choiceType i t_ =
  { Choice.base =
    (Equality.coq_class
      (tag_eqType (Choice.eqType i) (fun i0 -> Choice.eqType (t_ i0))));
    Choice.mixin = (Obj.magic tagged_choiceMixin i t_) }

(** val nat_choiceMixin : Bigint.t Choice.mixin_of **)

let nat_choiceMixin =
  let f = fun p n0 -> if p n0 then Some n0 else None in
  (fun p -> fun_of_simpl (f p))

(** val nat_choiceType : Choice.coq_type **)

let nat_choiceType =
  { Choice.base = (Equality.coq_class nat_eqType); Choice.mixin =
    (Obj.magic nat_choiceMixin) }

(** val option_choiceMixin :
    Choice.coq_type -> Choice.sort option Choice.mixin_of **)

let option_choiceMixin t0 =
  canChoiceMixin (seq_choiceType t0) (Obj.magic seq_of_opt) (Obj.magic ohead)

(** val option_choiceType : Choice.coq_type -> Choice.coq_type **)

let option_choiceType t0 =
  { Choice.base = (Equality.coq_class (option_eqType (Choice.eqType t0)));
    Choice.mixin = (Obj.magic option_choiceMixin t0) }

(** val prod_choiceMixin :
    Choice.coq_type -> Choice.coq_type -> (Choice.sort * Choice.sort)
    Choice.mixin_of **)

let prod_choiceMixin t1 t2 =
  canChoiceMixin (tagged_choiceType t1 (fun _ -> t2)) (Obj.magic tag_of_pair)
    (Obj.magic pair_of_tag)

(** val prod_choiceType :
    Choice.coq_type -> Choice.coq_type -> Choice.coq_type **)

let prod_choiceType t1 t2 =
  { Choice.base =
    (Equality.coq_class (prod_eqType (Choice.eqType t1) (Choice.eqType t2)));
    Choice.mixin = (Obj.magic prod_choiceMixin t1 t2) }

(** val sum_choiceMixin :
    Choice.coq_type -> Choice.coq_type -> (Choice.sort, Choice.sort) sum
    Choice.mixin_of **)

let sum_choiceMixin t1 t2 =
  pcanChoiceMixin
    (prod_choiceType (option_choiceType t1) (option_choiceType t2))
    (Obj.magic opair_of_sum) (Obj.magic sum_of_opair)

(** val sum_choiceType :
    Choice.coq_type -> Choice.coq_type -> Choice.coq_type **)

let sum_choiceType t1 t2 =
  { Choice.base =
    (Equality.coq_class (sum_eqType (Choice.eqType t1) (Choice.eqType t2)));
    Choice.mixin = (Obj.magic sum_choiceMixin t1 t2) }

module Countable =
 struct
  type 't mixin_of = { pickle : ('t -> Bigint.t);
                       unpickle : (Bigint.t -> 't option) }

  (** val pickle : 'a1 mixin_of -> 'a1 -> Bigint.t **)

  let pickle m =
    m.pickle

  (** val unpickle : 'a1 mixin_of -> Bigint.t -> 'a1 option **)

  let unpickle m =
    m.unpickle

  (** val coq_ChoiceMixin : 'a1 mixin_of -> 'a1 Choice.mixin_of **)

  let coq_ChoiceMixin m =
    pcanChoiceMixin nat_choiceType (Obj.magic m.pickle) (Obj.magic m.unpickle)

  type 't class_of = { base : 't Choice.class_of; mixin : 't mixin_of }

  (** val base : 'a1 class_of -> 'a1 Choice.class_of **)

  let base c =
    c.base

  (** val mixin : 'a1 class_of -> 'a1 mixin_of **)

  let mixin c =
    c.mixin

  type coq_type =
    __ class_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  (** val coq_class : coq_type -> sort class_of **)

  let coq_class cT =
    cT

  (** val choiceType : coq_type -> Choice.coq_type **)

  let choiceType cT =
    (coq_class cT).base
 end

(** val unpickle0 :
    Countable.coq_type -> Bigint.t -> Countable.sort option **)

let unpickle0 t0 =
  (Countable.coq_class t0).Countable.mixin.Countable.unpickle

(** val pickle0 : Countable.coq_type -> Countable.sort -> Bigint.t **)

let pickle0 t0 =
  (Countable.coq_class t0).Countable.mixin.Countable.pickle

(** val pcanCountMixin :
    Countable.coq_type -> ('a1 -> Countable.sort) -> (Countable.sort -> 'a1
    option) -> 'a1 Countable.mixin_of **)

let pcanCountMixin t0 f f' =
  { Countable.pickle = (comp (pickle0 t0) f); Countable.unpickle =
    (pcomp f' (unpickle0 t0)) }

(** val canCountMixin :
    Countable.coq_type -> ('a1 -> Countable.sort) -> (Countable.sort -> 'a1)
    -> 'a1 Countable.mixin_of **)

let canCountMixin t0 f f' =
  pcanCountMixin t0 f (fun y -> Some (f' y))

(** val pickle_seq : Countable.coq_type -> Countable.sort list -> Bigint.t **)

let pickle_seq t0 s =
  CodeSeq.code (map0 (pickle0 t0) s)

(** val unpickle_seq :
    Countable.coq_type -> Bigint.t -> Countable.sort list option **)

let unpickle_seq t0 n0 =
  Some (pmap (unpickle0 t0) (CodeSeq.decode n0))

(** val seq_countMixin :
    Countable.coq_type -> Countable.sort list Countable.mixin_of **)

let seq_countMixin t0 =
  { Countable.pickle = (pickle_seq t0); Countable.unpickle =
    (unpickle_seq t0) }

(** val seq_countType : Countable.coq_type -> Countable.coq_type **)

let seq_countType t0 =
  { Countable.base =
    (Choice.coq_class (seq_choiceType (Countable.choiceType t0)));
    Countable.mixin = (Obj.magic seq_countMixin t0) }

(** val pickle_tagged :
    Countable.coq_type -> (Countable.sort -> Countable.coq_type) ->
    (Countable.sort, Countable.sort) sigT -> Bigint.t **)

let pickle_tagged i t_ u =
  CodeSeq.code
    ((pickle0 i (tag u)) :: ((pickle0 (t_ (tag u)) (tagged u)) :: []))

(** val unpickle_tagged :
    Countable.coq_type -> (Countable.sort -> Countable.coq_type) -> Bigint.t
    -> (Countable.sort, Countable.sort) sigT option **)

let unpickle_tagged i t_ s =
  match CodeSeq.decode s with
  | [] -> None
  | ni :: l ->
    (match l with
     | [] -> None
     | nx :: l0 ->
       (match l0 with
        | [] ->
          Option.bind (fun i0 ->
            Option.map (tagged0 i0) (unpickle0 (t_ i0) nx)) (unpickle0 i ni)
        | _ :: _ -> None))

(** val tag_countMixin :
    Countable.coq_type -> (Countable.sort -> Countable.coq_type) ->
    (Countable.sort, Countable.sort) sigT Countable.mixin_of **)

let tag_countMixin i t_ =
  { Countable.pickle = (pickle_tagged i t_); Countable.unpickle =
    (unpickle_tagged i t_) }

(** val tag_countType :
    Countable.coq_type -> (Countable.sort -> Countable.coq_type) ->
    Countable.coq_type **)

let tag_countType i t_ =
  { Countable.base =
    (Choice.coq_class
      (tagged_choiceType (Countable.choiceType i) (fun i0 ->
        Countable.choiceType (t_ i0)))); Countable.mixin =
    (Obj.magic tag_countMixin i t_) }

(** val nat_countMixin : Bigint.t Countable.mixin_of **)

let nat_countMixin =
  { Countable.pickle = (fun x -> x); Countable.unpickle = (fun x -> Some x) }

(** val nat_countType : Countable.coq_type **)

let nat_countType =
  { Countable.base = (Choice.coq_class nat_choiceType); Countable.mixin =
    (Obj.magic nat_countMixin) }

(** val option_countMixin :
    Countable.coq_type -> Countable.sort option Countable.mixin_of **)

let option_countMixin t0 =
  canCountMixin (seq_countType t0) (Obj.magic seq_of_opt) (Obj.magic ohead)

(** val option_countType : Countable.coq_type -> Countable.coq_type **)

let option_countType t0 =
  { Countable.base =
    (Choice.coq_class (option_choiceType (Countable.choiceType t0)));
    Countable.mixin = (Obj.magic option_countMixin t0) }

(** val prod_countMixin :
    Countable.coq_type -> Countable.coq_type ->
    (Countable.sort * Countable.sort) Countable.mixin_of **)

let prod_countMixin t1 t2 =
  canCountMixin (tag_countType t1 (fun _ -> t2)) (Obj.magic tag_of_pair)
    (Obj.magic pair_of_tag)

(** val prod_countType :
    Countable.coq_type -> Countable.coq_type -> Countable.coq_type **)

let prod_countType t1 t2 =
  { Countable.base =
    (Choice.coq_class
      (prod_choiceType (Countable.choiceType t1) (Countable.choiceType t2)));
    Countable.mixin = (Obj.magic prod_countMixin t1 t2) }

(** val sum_countMixin :
    Countable.coq_type -> Countable.coq_type -> (Countable.sort,
    Countable.sort) sum Countable.mixin_of **)

let sum_countMixin t1 t2 =
  pcanCountMixin (prod_countType (option_countType t1) (option_countType t2))
    (Obj.magic opair_of_sum) (Obj.magic sum_of_opair)

(** val sum_countType :
    Countable.coq_type -> Countable.coq_type -> Countable.coq_type **)

let sum_countType t1 t2 =
  { Countable.base =
    (Choice.coq_class
      (sum_choiceType (Countable.choiceType t1) (Countable.choiceType t2)));
    Countable.mixin = (Obj.magic sum_countMixin t1 t2) }

(** val merge : 'a1 rel -> 'a1 list -> 'a1 list -> 'a1 list **)

let rec merge leT s1 = match s1 with
| [] -> (fun x -> x)
| x1 :: s1' ->
  let rec merge_s1 s2 = match s2 with
  | [] -> s1
  | x2 :: s2' ->
    if leT x1 x2 then x1 :: (merge leT s1' s2) else x2 :: (merge_s1 s2')
  in merge_s1

(** val merge_sort_push :
    'a1 rel -> 'a1 list -> 'a1 list list -> 'a1 list list **)

let rec merge_sort_push leT s1 ss = match ss with
| [] -> s1 :: ss
| s2 :: ss' ->
  (match s2 with
   | [] -> s1 :: ss'
   | _ :: _ -> [] :: (merge_sort_push leT (merge leT s2 s1) ss'))

(** val merge_sort_pop : 'a1 rel -> 'a1 list -> 'a1 list list -> 'a1 list **)

let rec merge_sort_pop leT s1 = function
| [] -> s1
| s2 :: ss' -> merge_sort_pop leT (merge leT s2 s1) ss'

(** val merge_sort_rec : 'a1 rel -> 'a1 list list -> 'a1 list -> 'a1 list **)

let rec merge_sort_rec leT ss s = match s with
| [] -> merge_sort_pop leT s ss
| x1 :: l ->
  (match l with
   | [] -> merge_sort_pop leT s ss
   | x2 :: s' ->
     let s1 = if leT x1 x2 then x1 :: (x2 :: []) else x2 :: (x1 :: []) in
     merge_sort_rec leT (merge_sort_push leT s1 ss) s')

(** val sort0 : 'a1 rel -> 'a1 list -> 'a1 list **)

let sort0 leT =
  merge_sort_rec leT []

(** val edivn_rec :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t * Bigint.t **)

let rec edivn_rec d0 m q =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> (q, m))
    (fun m' -> edivn_rec d0 m' (Bigint.succ q))
    (subn m d0)

(** val edivn : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t **)

let edivn m d0 =
  if leq (Bigint.succ Bigint.zero) d0
  then edivn_rec (pred d0) m Bigint.zero
  else (Bigint.zero, m)

(** val divn : Bigint.t -> Bigint.t -> Bigint.t **)

let divn m d0 =
  fst (edivn m d0)

(** val modn_rec : Bigint.t -> Bigint.t -> Bigint.t **)

let rec modn_rec d0 m =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> m)
    (fun m' -> modn_rec d0 m')
    (subn m d0)

(** val modn : Bigint.t -> Bigint.t -> Bigint.t **)

let modn m d0 =
  if leq (Bigint.succ Bigint.zero) d0 then modn_rec (pred d0) m else m

(** val quick_mod : Bigint.t -> Bigint.t -> Bigint.t **)

let quick_mod = (fun a b -> if Bigint.sign b <= 0 then invalid_arg "modulo" else Bigint.erem a b)

(** val limit : Bigint.t **)

let limit =
  (fun p -> p) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.shift_left p 1)
    Bigint.one))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

(** val toZ : Bigint.word -> Bigint.t **)

let toZ = Bigint.of_int

(** val ofZ : Bigint.t -> Bigint.word **)

let ofZ = Bigint.to_int

(** val muladd : Bigint.word -> Bigint.word -> Bigint.word -> Bigint.word **)

let muladd = (fun x c y -> x + c * y)

(** val sub0 : Bigint.word -> Bigint.word -> Bigint.word **)

let sub0 = (fun x y -> x - y)

(** val rem0 : Bigint.word -> Bigint.word -> Bigint.word **)

let rem0 = (fun x p -> if x < 0 || p <= 0 then 0 else x mod p)

(** val is_odd : Bigint.word -> bool **)

let is_odd = (fun x -> x land 1 = 1)

(** val halved : Bigint.word -> Bigint.word **)

let halved = (fun x -> x asr 1)

(** val is_zero : Bigint.word -> bool **)

let is_zero = (fun x -> x = 0)

(** val is_one : Bigint.word -> bool **)

let is_one = (fun x -> x = 1)

(** val zero : Bigint.word **)

let zero =
  ofZ Bigint.zero

(** val one_word : Bigint.word **)

let one_word =
  ofZ ((fun p -> p) Bigint.one)

(** val residues : Bigint.t -> Bigint.t list -> Bigint.word list **)

let residues p s =
  map0 (fun x -> ofZ (quick_mod x p)) s

(** val mulmod : Bigint.word -> Bigint.word -> Bigint.word -> Bigint.word **)

let mulmod p x y =
  rem0 (muladd zero x y) p

(** val squares :
    Bigint.word -> Bigint.word -> Bigint.t -> Bigint.word list **)

let rec squares p g n0 =
  (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
    (fun n' -> g :: (squares p (mulmod p g g) n'))
    (fun n' -> g :: (squares p (mulmod p g g) n'))
    (fun _ -> g :: [])
    n0

(** val pow0 :
    Bigint.word -> Bigint.word list -> Bigint.word -> Bigint.word ->
    Bigint.word **)

let rec pow0 p s e acc =
  match s with
  | [] -> acc
  | g :: s' ->
    if is_zero e
    then acc
    else pow0 p s' (halved e) (if is_odd e then mulmod p acc g else acc)

(** val inverse : Bigint.word -> Bigint.word -> Bigint.word option **)

let inverse p a =
  let k =
    Z.to_pos
      (Z.sub (toZ p) ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
        Bigint.one)))
  in
  let b = pow0 p (squares p a k) (ofZ ((fun p -> p) k)) one_word in
  if is_one (mulmod p a b) then Some b else None

(** val scaled_words :
    Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list **)

let scaled_words p c s =
  map0 (fun x -> mulmod p c x) s

module GRing =
 struct
  module Zmodule =
   struct
    type 'v mixin_of = { zero : 'v; opp : ('v -> 'v); add : ('v -> 'v -> 'v) }

    (** val zero : 'a1 mixin_of -> 'a1 **)

    let zero m =
      m.zero

    (** val opp : 'a1 mixin_of -> 'a1 -> 'a1 **)

    let opp m =
      m.opp

    (** val add : 'a1 mixin_of -> 'a1 -> 'a1 -> 'a1 **)

    let add m =
      m.add

    type 't class_of = { base : 't Choice.class_of; mixin : 't mixin_of }

    (** val mixin : 'a1 class_of -> 'a1 mixin_of **)

    let mixin c =
      c.mixin

    type coq_type =
      __ class_of
      (* singleton inductive, whose constructor was Pack *)

    type sort = __

    (** val coq_class : coq_type -> sort class_of **)

    let coq_class cT =
      cT

    (** val pack :
        'a1 mixin_of -> Choice.coq_type -> 'a1 Choice.class_of -> coq_type **)

    let pack m _ b =
      { base = (Obj.magic b); mixin = (Obj.magic m) }
   end

  (** val zero : Zmodule.coq_type -> Zmodule.sort **)

  let zero v =
    (Zmodule.coq_class v).Zmodule.mixin.Zmodule.zero

  (** val opp : Zmodule.coq_type -> Zmodule.sort -> Zmodule.sort **)

  let opp v =
    (Zmodule.coq_class v).Zmodule.mixin.Zmodule.opp

  (** val add :
      Zmodule.coq_type -> Zmodule.sort -> Zmodule.sort -> Zmodule.sort **)

  let add v =
    (Zmodule.coq_class v).Zmodule.mixin.Zmodule.add

  (** val natmul :
      Zmodule.coq_type -> Zmodule.sort -> Bigint.t -> Zmodule.sort **)

  let natmul v x n0 =
    iterop n0 (add v) x (zero v)

  module Ring =
   struct
    type mixin_of = { one : Zmodule.sort;
                      mul : (Zmodule.sort -> Zmodule.sort -> Zmodule.sort) }

    (** val one : Zmodule.coq_type -> mixin_of -> Zmodule.sort **)

    let one _ m =
      m.one

    (** val mul :
        Zmodule.coq_type -> mixin_of -> Zmodule.sort -> Zmodule.sort ->
        Zmodule.sort **)

    let mul _ m =
      m.mul

    type 'r class_of = { base : 'r Zmodule.class_of; mixin : mixin_of }

    (** val base : 'a1 class_of -> 'a1 Zmodule.class_of **)

    let base c =
      c.base

    (** val mixin : 'a1 class_of -> mixin_of **)

    let mixin c =
      c.mixin

    type coq_type =
      __ class_of
      (* singleton inductive, whose constructor was Pack *)

    type sort = __

    (** val coq_class : coq_type -> sort class_of **)

    let coq_class cT =
      cT

    (** val pack :
        'a1 Zmodule.class_of -> mixin_of -> Zmodule.coq_type -> 'a1
        Zmodule.class_of -> mixin_of -> coq_type **)

    let pack _ _ _ b m =
      { base = (Obj.magic b); mixin = m }

    (** val zmodType : coq_type -> Zmodule.coq_type **)

    let zmodType cT =
      (coq_class cT).base
   end

  (** val one : Ring.coq_type -> Ring.sort **)

  let one r =
    (Ring.coq_class r).Ring.mixin.Ring.one

  (** val mul : Ring.coq_type -> Ring.sort -> Ring.sort -> Ring.sort **)

  let mul r =
    (Ring.coq_class r).Ring.mixin.Ring.mul
 end

type int =
| Posz of Bigint.t
| Negz of Bigint.t

(** val natsum_of_int : int -> (Bigint.t, Bigint.t) sum **)

let natsum_of_int = function
| Posz p -> Inl p
| Negz n0 -> Inr n0

(** val int_of_natsum : (Bigint.t, Bigint.t) sum -> int **)

let int_of_natsum = function
| Inl p -> Posz p
| Inr n0 -> Negz n0

(** val int_eqMixin : int Equality.mixin_of **)

let int_eqMixin =
  canEqMixin (sum_eqType nat_eqType nat_eqType) (Obj.magic natsum_of_int)
    (Obj.magic int_of_natsum)

(** val int_countMixin : int Countable.mixin_of **)

let int_countMixin =
  canCountMixin (sum_countType nat_countType nat_countType)
    (Obj.magic natsum_of_int) (Obj.magic int_of_natsum)

(** val int_choiceMixin : int Choice.mixin_of **)

let int_choiceMixin =
  Countable.coq_ChoiceMixin int_countMixin

(** val int_eqType : Equality.coq_type **)

let int_eqType =
  Obj.magic int_eqMixin

(** val int_choiceType : Choice.coq_type **)

let int_choiceType =
  { Choice.base = (Equality.coq_class int_eqType); Choice.mixin =
    (Obj.magic int_choiceMixin) }

(** val int_of_Z : Bigint.t -> int **)

let int_of_Z n0 =
  (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
    (fun _ -> Posz Bigint.zero)
    (fun p -> Posz (Coq_Pos.to_nat p))
    (fun p -> Negz (pred (Coq_Pos.to_nat p)))
    n0

(** val z_of_int : int -> Bigint.t **)

let z_of_int = function
| Posz n1 -> Z.of_nat n1
| Negz n' -> Z.opp (Z.of_nat (addn n' (Bigint.succ Bigint.zero)))

module ZInstances =
 struct
  (** val eqZP : Bigint.t Equality.axiom **)

  let eqZP x y =
    iffP (Z.eqb x y) (idP (Z.eqb x y))

  (** val coq_Z_eqType : Equality.coq_type **)

  let coq_Z_eqType =
    { Equality.op = (Obj.magic Z.eqb); Equality.mixin_of__1 =
      (Obj.magic eqZP) }

  (** val coq_Z_choiceType : Choice.coq_type **)

  let coq_Z_choiceType =
    Choice.pack
      (canChoiceMixin int_choiceType (Obj.magic int_of_Z)
        (Obj.magic z_of_int)) (Equality.coq_class coq_Z_eqType) coq_Z_eqType

  (** val coq_Z_zmodMixin : Bigint.t GRing.Zmodule.mixin_of **)

  let coq_Z_zmodMixin =
    { GRing.Zmodule.zero = Bigint.zero; GRing.Zmodule.opp = Z.opp;
      GRing.Zmodule.add = Z.add }

  (** val coq_Z_zmodType : GRing.Zmodule.coq_type **)

  let coq_Z_zmodType =
    GRing.Zmodule.pack (Obj.magic coq_Z_zmodMixin) coq_Z_choiceType
      (Choice.coq_class coq_Z_choiceType)

  (** val coq_Z_ringMixin : GRing.Ring.mixin_of **)

  let coq_Z_ringMixin =
    { GRing.Ring.one = (Obj.magic ((fun p -> p) Bigint.one));
      GRing.Ring.mul = (Obj.magic Z.mul) }

  (** val coq_Z_ringType : GRing.Ring.coq_type **)

  let coq_Z_ringType =
    GRing.Ring.pack { GRing.Zmodule.base =
      (Choice.coq_class coq_Z_choiceType); GRing.Zmodule.mixin =
      (Obj.magic coq_Z_zmodMixin) } coq_Z_ringMixin coq_Z_zmodType
      (GRing.Zmodule.coq_class coq_Z_zmodType) coq_Z_ringMixin
 end

(** val ent : Bigint.t list list -> Bigint.t -> Bigint.t -> Bigint.t **)

let ent m i j =
  nth Bigint.zero (nth [] m i) j

(** val dot : Bigint.t list -> Bigint.t list -> Bigint.t **)

let rec dot a b =
  match a with
  | [] -> Bigint.zero
  | x :: a' ->
    (match b with
     | [] -> Bigint.zero
     | y :: b' -> Z.add (Z.mul x y) (dot a' b'))

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

(** val context_at : problem -> Bigint.t -> Bigint.t list list **)

let context_at d0 t0 =
  if leq (Bigint.succ t0) d0.t then d0.context_rows t0 else []

(** val contexts : problem -> Bigint.t list list list **)

let contexts d0 =
  map0 (fun t0 -> context_at d0 t0) (iota Bigint.zero d0.t)

type part = { part_heads : Bigint.t; part_examples : Bigint.t list }

(** val part_of : problem -> part -> problem **)

let part_of d0 p =
  { t = (size0 p.part_examples); h = p.part_heads; n = d0.n; d = d0.d; d_h =
    d0.d_h; d_v = d0.d_v; d_out = d0.d_out; base_two = d0.base_two;
    logit_scale = d0.logit_scale; q_contexts = d0.q_contexts; context_rows =
    (fun k -> context_at d0 (nth Bigint.zero p.part_examples k)); q_queries =
    d0.q_queries; queries =
    (map0 (fun t0 -> nth [] d0.queries t0) p.part_examples); given = None;
    q_labels = d0.q_labels; labels = []; around = None }

(** val col : Bigint.t -> Bigint.t list list -> Bigint.t list **)

let col j m =
  map0 (fun r -> nth Bigint.zero r j) m

(** val powmod : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t **)

let rec powmod p a n0 =
  (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
    (fun n' ->
    let b = powmod p a n' in Z.modulo (Z.mul (Z.modulo (Z.mul b b) p) a) p)
    (fun n' -> let b = powmod p a n' in Z.modulo (Z.mul b b) p)
    (fun _ -> a)
    n0

(** val invmod : Bigint.t -> Bigint.t -> Bigint.t option **)

let invmod p a =
  let b =
    powmod p a
      (Z.to_pos
        (Obj.magic GRing.add ZInstances.coq_Z_zmodType p
          (GRing.opp (GRing.Ring.zmodType ZInstances.coq_Z_ringType)
            (GRing.natmul (GRing.Ring.zmodType ZInstances.coq_Z_ringType)
              (GRing.one ZInstances.coq_Z_ringType) (Bigint.succ (Bigint.succ
              Bigint.zero))))))
  in
  if Z.eqb (Z.modulo (Z.mul a b) p) ((fun p -> p) Bigint.one)
  then Some b
  else None

(** val submul :
    Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list **)

let rec submul p c s r =
  match s with
  | [] -> map0 (fun y -> Z.modulo (Z.opp (Z.mul c y)) p) r
  | x :: s' ->
    (match r with
     | [] -> s
     | y :: r' -> (Z.modulo (Z.sub x (Z.mul c y)) p) :: (submul p c s' r'))

(** val pick_row :
    Bigint.t -> Bigint.t list list -> (Bigint.t list * Bigint.t list list)
    option **)

let rec pick_row p = function
| [] -> None
| r :: m' ->
  if Z.eqb (Z.modulo (head Bigint.zero r) p) Bigint.zero
  then (match pick_row p m' with
        | Some p0 -> let (r', m'') = p0 in Some (r', (r :: m''))
        | None -> None)
  else Some (r, m')

(** val free_exact : Bigint.t -> Bigint.t -> Bigint.t list list -> bool **)

let rec free_exact p n0 m = match m with
| [] -> true
| _ :: _ ->
  ((fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
     (fun _ -> false)
     (fun n' ->
     match pick_row p m with
     | Some p0 ->
       let (r, m') = p0 in
       (match invmod p (head Bigint.zero r) with
        | Some u ->
          let r' = map0 (fun x -> Z.modulo (Z.mul u x) p) (behead r) in
          free_exact p n'
            (map0 (fun s -> submul p (head Bigint.zero s) (behead s) r') m')
        | None -> false)
     | None -> free_exact p n' (map0 behead m))
     n0)

(** val fits_word : Bigint.t -> Bigint.t -> bool **)

let fits_word p k =
  (&&) (Z.ltb ((fun p -> p) Bigint.one) p)
    (Z.leb (Z.mul (Z.mul p p) (Z.add (Z.of_nat k) ((fun p -> p) Bigint.one)))
      limit)

(** val normal :
    Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list **)

let normal p v r =
  map0 (fun x -> mulmod p v (rem0 x p)) (behead r)

(** val unrow : Bigint.word array -> Bigint.word list **)

let unrow r =
  (fun f r -> f (Array.to_list r))
    (fun s -> s)
    r

(** val reduce_rows :
    Bigint.word -> Bigint.word array list -> Bigint.word array ->
    Bigint.word array **)

let reduce_rows = (fun p us r ->
  let x = Array.copy r in
  let factor y = let h = if y < 0 || p <= 0 then 0 else y mod p in if h = 0 then 0 else p - h in
  let fits j u = if Array.length u <> Array.length x - j - 1 then invalid_arg "reduce_rows" in
  let rec reduce j = function
    | [] -> Array.sub x j (Array.length x - j)
    | s :: t :: u :: v :: us ->
      fits j s; fits (j + 1) t; fits (j + 2) u; fits (j + 3) v;
      let a = factor x.(j) in
      let b = factor (x.(j + 1) + a * s.(0)) in
      let c = factor (x.(j + 2) + a * s.(1) + b * t.(0)) in
      let d = factor (x.(j + 3) + a * s.(2) + b * t.(1) + c * u.(0)) in
      for i = 0 to Array.length v - 1 do
        Array.unsafe_set x (j + 4 + i)
          (Array.unsafe_get x (j + 4 + i) + a * Array.unsafe_get s (i + 3) + b * Array.unsafe_get t (i + 2)
           + c * Array.unsafe_get u (i + 1) + d * Array.unsafe_get v i)
      done;
      reduce (j + 4) us
    | u :: us ->
      fits j u;
      let a = factor x.(j) in
      for i = 0 to Array.length u - 1 do
        Array.unsafe_set x (j + 1 + i) (Array.unsafe_get x (j + 1 + i) + a * Array.unsafe_get u i)
      done;
      reduce (j + 1) us in
  reduce 0 us)

(** val insert_row :
    Bigint.word -> Bigint.word array list -> Bigint.word array option list ->
    Bigint.word array -> Bigint.word array option list option **)

let rec insert_row p us b r =
  match b with
  | [] -> None
  | o :: b' ->
    (match o with
     | Some u ->
       (match insert_row p (u :: us) b' r with
        | Some b'' -> Some ((Some u) :: b'')
        | None -> None)
     | None ->
       let s = unrow (reduce_rows p (rev us) r) in
       let x = rem0 (head zero s) p in
       if is_zero x
       then (match insert_row p [] b' (Array.of_list (behead s)) with
             | Some b'' -> Some (None :: b'')
             | None -> None)
       else (match inverse p x with
             | Some v -> Some ((Some (Array.of_list (normal p v s))) :: b')
             | None -> None))

(** val eliminate_rows :
    Bigint.word -> Bigint.word array option list -> Bigint.word array list ->
    bool **)

let rec eliminate_rows p b = function
| [] -> true
| r :: m' ->
  (match insert_row p [] b r with
   | Some b' -> eliminate_rows p b' m'
   | None -> false)

(** val free_mod : Bigint.t -> Bigint.t -> Bigint.t list list -> bool **)

let free_mod p n0 m =
  if fits_word p (Bigint.succ n0)
  then eliminate_rows (ofZ p) (nseq n0 None)
         (map0 (fun r -> Array.of_list (residues p r)) m)
  else free_exact p n0 m

(** val ceil_div : Bigint.t -> Bigint.t -> Bigint.t **)

let ceil_div a b =
  Z.opp (Z.div (Z.opp a) b)

(** val two_power : Bigint.t -> Bigint.t **)

let two_power = (fun k -> Bigint.shift_left Bigint.one (Bigint.to_int k))

(** val shift_down : Bigint.t -> Bigint.t -> Bigint.t **)

let shift_down k x =
  Z.shiftr x (Z.of_nat k)

(** val shift_up : Bigint.t -> Bigint.t -> Bigint.t **)

let shift_up k x =
  Z.opp (shift_down k (Obj.magic GRing.opp ZInstances.coq_Z_zmodType x))

type precision = { binary_point : Bigint.t; guard : Bigint.t }

(** val finest : precision -> Bigint.t **)

let finest p =
  addn p.guard p.binary_point

(** val denominator : precision -> Bigint.t **)

let denominator p =
  two_power p.binary_point

(** val fine : precision -> Bigint.t **)

let fine p =
  two_power (finest p)

(** val precision_of : Bigint.t -> precision **)

let precision_of bits =
  { binary_point =
    (addn bits (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      Bigint.zero))))))))))))))))))))))))); guard =
    (addn (half bits) (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ Bigint.zero))))))))))))))))))))))))))))))))))))))))) }

(** val times_fixed :
    Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
    Bigint.t * Bigint.t **)

let times_fixed m x y =
  ((shift_down m (Z.mul (fst x) (fst y))),
    (shift_up m (Z.mul (snd x) (snd y))))

(** val small_power :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t * Bigint.t **)

let small_power m m0 g r =
  let a = Z.mul r g in
  let s = Z.mul a a in
  let square = shift_up (Bigint.succ m) s in
  ((Z.max Bigint.zero
     (Z.sub (Z.add (Z.sub m0 a) (shift_down (Bigint.succ m) s))
       (shift_up m (Z.mul square a)))), (Z.add (Z.sub m0 a) square))

(** val table :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
    (Bigint.t * Bigint.t) list **)

let rec table m count0 base0 x =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> x :: [])
    (fun count' -> x :: (table m count' base0 (times_fixed m x base0)))
    count0

(** val pick :
    (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) list -> Bigint.t ->
    Bigint.t * Bigint.t **)

let rec pick other l i =
  match l with
  | [] -> other
  | x :: l' ->
    if Z.eqb i Bigint.zero
    then x
    else pick other l' (Z.sub i ((fun p -> p) Bigint.one))

(** val by_width : (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let by_width x =
  ((fst x), (Z.sub (snd x) (fst x)))

(** val by_ends : (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let by_ends x =
  ((fst x), (Z.add (fst x) (snd x)))

type digit = { digit_shift : Bigint.t; digit_step : Bigint.t;
               digit_powers : (Bigint.t * Bigint.t) list }

(** val digits_from :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) ->
    digit list -> digit list **)

let rec digits_from m m0 count0 s base0 found =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> found)
    (fun count' ->
    let t0 =
      table m (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ Bigint.zero)))))))))))))))) base0 (m0, m0)
    in
    digits_from m m0 count'
      (addn s (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        Bigint.zero)))))
      (pick (Bigint.zero, m0) t0 ((fun p -> p)
        ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
        ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
        Bigint.one)))))) ({ digit_shift = s; digit_step = ((fun p -> p)
      (two_power s)); digit_powers = (map0 by_width t0) } :: found))
    count0

(** val squared :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let rec squared m k x =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> x)
    (fun k' -> squared m k' (times_fixed m x x))
    k

(** val digits_of : precision -> digit list **)

let digits_of p =
  let m = (fun p -> p) (fine p) in
  let count0 =
    addn
      (divn p.binary_point (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        Bigint.zero))))))))) (Bigint.succ (Bigint.succ (Bigint.succ
      Bigint.zero)))
  in
  let tables =
    addn
      (divn p.binary_point (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        Bigint.zero))))))))))))) (Bigint.succ (Bigint.succ (Bigint.succ
      Bigint.zero)))
  in
  let s =
    subn p.binary_point
      (muln (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        Bigint.zero)))) count0)
  in
  let k =
    muln (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ Bigint.zero))))
      (subn (addn count0 (Bigint.succ (Bigint.succ Bigint.zero))) tables)
  in
  let base0 =
    small_power (finest p) m ((fun p -> p) (two_power p.guard)) ((fun p -> p)
      (two_power s))
  in
  digits_from (finest p) m tables (addn s k) (squared (finest p) k base0) []

(** val times_by_width :
    Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
    Bigint.t * Bigint.t **)

let times_by_width m x y =
  ((shift_down m (Z.mul (fst x) (fst y))),
    (Z.add (Z.add (snd x) (snd y)) ((fun p -> p) Bigint.one)))

(** val exp_by_width :
    Bigint.t -> Bigint.t -> Bigint.t -> digit list -> Bigint.t ->
    Bigint.t * Bigint.t **)

let rec exp_by_width m m0 g digits0 r =
  match digits0 with
  | [] -> by_width (small_power m m0 g r)
  | g0 :: digits' ->
    let i = shift_down g0.digit_shift r in
    times_by_width m (pick (Bigint.zero, m0) g0.digit_powers i)
      (exp_by_width m m0 g digits' (Z.sub r (Z.mul i g0.digit_step)))

(** val exp_by :
    Bigint.t -> Bigint.t -> Bigint.t -> digit list -> Bigint.t ->
    Bigint.t * Bigint.t **)

let exp_by m m0 g digits0 r =
  by_ends (exp_by_width m m0 g digits0 r)

(** val log_two_guess : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t **)

let rec log_two_guess k i power0 =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> Bigint.zero)
    (fun k' ->
    Z.add (Z.div power0 i)
      (log_two_guess k' (Z.add i ((fun p -> p) Bigint.one))
        (Z.div power0 ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
          Bigint.one)))))
    k

(** val log_two :
    precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t **)

let log_two p digits0 bits =
  let k = denominator p in
  let guess =
    log_two_guess
      (addn bits (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
        (Bigint.succ (Bigint.succ (Bigint.succ
        Bigint.zero)))))))))))))))))))))))))))))))))
      (Obj.magic GRing.one ZInstances.coq_Z_ringType)
      (Z.div ((fun p -> p) k) ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
        Bigint.one)))
  in
  let slack =
    Z.add (Z.of_nat bits) ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) Bigint.one)))))))))))))))
  in
  let low = Z.sub guess slack in
  let high = Z.add guess slack in
  let exp_minus0 =
    exp_by (finest p) ((fun p -> p) (fine p)) ((fun p -> p)
      (two_power p.guard)) digits0
  in
  if (&&) (Z.leb Bigint.zero low)
       ((&&)
         (Z.leb ((fun p -> p) (fine p))
           (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
             Bigint.one)) (fst (exp_minus0 low))))
         (Z.leb
           (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
             Bigint.one)) (snd (exp_minus0 high))) ((fun p -> p) (fine p))))
  then (low, high)
  else (Bigint.zero, ((fun p -> p) k))

(** val square_root : Bigint.t -> Bigint.t -> Bigint.t * Bigint.t **)

let square_root k m =
  if Coq_Pos.eqb m Bigint.one
  then (((fun p -> p) k), ((fun p -> p) k))
  else let s =
         Z.sqrt
           (Z.mul ((fun p -> p) m) (Z.mul ((fun p -> p) k) ((fun p -> p) k)))
       in
       (s, (Z.add s ((fun p -> p) Bigint.one)))

type unit_bounds = { unit_low : Bigint.t; unit_high : Bigint.t;
                     unit_shift : Bigint.t; digits : digit list;
                     unit_steps : Bigint.t option }

(** val unit_of :
    precision -> Bigint.t -> bool -> Bigint.t -> Bigint.t -> unit_bounds **)

let unit_of p bits two m n0 =
  let k = denominator p in
  let r = square_root k m in
  let digits0 = digits_of p in
  let l =
    if two
    then log_two p digits0 bits
    else (((fun p -> p) k), ((fun p -> p) k))
  in
  let s =
    addn (Z.to_nat (Z.log2 ((fun p -> p) n0))) (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ Bigint.zero))))))))))))))))))))))))
  in
  let q = (fun p -> p) (Coq_Pos.mul n0 k) in
  { unit_low =
  (Z.div (Z.mul (Z.mul (fst r) (fst l)) ((fun p -> p) (two_power s))) q);
  unit_high =
  (ceil_div (Z.mul (Z.mul (snd r) (snd l)) ((fun p -> p) (two_power s))) q);
  unit_shift = s; digits = digits0; unit_steps =
  (if (&&) two (Coq_Pos.eqb m Bigint.one) then Some n0 else None) }

(** val maximum : Bigint.t list -> Bigint.t **)

let maximum l =
  foldr Z.max (head Bigint.zero l) l

(** val total_of : Bigint.t list -> Bigint.t **)

let total_of l =
  foldr Z.add Bigint.zero l

(** val exact_power :
    precision -> Bigint.t -> unit_bounds -> Bigint.t -> Bigint.t option **)

let exact_power p m u d0 =
  if Z.eqb d0 Bigint.zero
  then Some m
  else (match u.unit_steps with
        | Some n0 ->
          let k = Z.div d0 ((fun p -> p) n0) in
          if (&&) (Z.eqb (Z.mul k ((fun p -> p) n0)) d0)
               (Z.leb k (Z.of_nat (finest p)))
          then Some ((fun p -> p) (two_power (subn (finest p) (Z.to_nat k))))
          else None
        | None -> None)

(** val rounded_power :
    precision -> Bigint.t -> Bigint.t -> Bigint.t -> unit_bounds -> Bigint.t
    -> Bigint.t * Bigint.t **)

let rounded_power p k m g u d0 =
  let least = shift_down u.unit_shift (Z.mul d0 u.unit_low) in
  let most0 = shift_up u.unit_shift (Z.mul d0 u.unit_high) in
  let limit0 =
    Z.mul ((fun p -> p) ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1)) Bigint.one)))))))) k
  in
  let x = exp_by (finest p) m g u.digits (Z.min limit0 least) in
  ((if Z.leb least limit0
    then Z.max Bigint.zero
           (shift_down p.binary_point
             (Z.mul (fst x) (Z.sub k (Z.sub most0 least))))
    else Bigint.zero), (snd x))

(** val power :
    precision -> Bigint.t -> Bigint.t -> Bigint.t -> unit_bounds -> Bigint.t
    -> Bigint.t * Bigint.t **)

let power p k m g u d0 =
  match exact_power p m u d0 with
  | Some x -> (x, x)
  | None -> rounded_power p k m g u d0

(** val alphas :
    precision -> unit_bounds -> Bigint.t list -> (Bigint.t * Bigint.t) list **)

let alphas p u l =
  let top = maximum l in
  let k = (fun p -> p) (denominator p) in
  let m = (fun p -> p) (fine p) in
  let g = (fun p -> p) (two_power p.guard) in
  let powers = map0 (fun x -> power p k m g u (Z.sub top x)) l in
  let low = total_of (unzip1 powers) in
  let high = total_of (unzip2 powers) in
  if (&&) (Z.ltb Bigint.zero low) (Z.ltb Bigint.zero high)
  then map0 (fun x -> ((Z.div (Z.mul (fst x) k) high),
         (ceil_div (Z.mul (snd x) k) low))) powers
  else map0 (fun _ -> (Bigint.zero, k)) l

(** val scaled_enclosure :
    Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let scaled_enclosure c x =
  if Z.leb Bigint.zero c
  then ((Z.mul c (fst x)), (Z.mul c (snd x)))
  else ((Z.mul c (snd x)), (Z.mul c (fst x)))

(** val plus :
    (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let plus x y =
  ((Z.add (fst x) (fst y)), (Z.add (snd x) (snd y)))

(** val add_multiple :
    (Bigint.t * Bigint.t) -> Bigint.t list -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list **)

let rec add_multiple x r acc =
  match r with
  | [] -> acc
  | c :: r' ->
    (match acc with
     | [] -> acc
     | a :: acc' ->
       (plus (scaled_enclosure c x) a) :: (add_multiple x r' acc'))

(** val times_rows :
    Bigint.t -> (Bigint.t * Bigint.t) list -> Bigint.t list list ->
    (Bigint.t * Bigint.t) list **)

let rec times_rows w s m =
  match s with
  | [] -> nseq w (Bigint.zero, Bigint.zero)
  | x :: s' ->
    (match m with
     | [] -> nseq w (Bigint.zero, Bigint.zero)
     | r :: m' -> add_multiple x r (times_rows w s' m'))

(** val add_rows :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list **)

let add_rows a b v w =
  map0 (fun x ->
    plus (scaled_enclosure ((fun p -> p) b) (fst x))
      (scaled_enclosure ((fun p -> p) a) (snd x))) (zip v w)

(** val exact_row :
    Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t) list **)

let exact_row w r =
  map0 (fun k -> ((nth Bigint.zero r k), (nth Bigint.zero r k)))
    (iota Bigint.zero w)

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

(** val exactly : Bigint.t -> interval **)

let exactly x =
  ((Some x), (Some x))

(** val lift2 :
    (Bigint.t -> Bigint.t -> Bigint.t) -> Bigint.t option -> Bigint.t option
    -> Bigint.t option **)

let lift2 f x y =
  match x with
  | Some x0 -> (match y with
                | Some y0 -> Some (f x0 y0)
                | None -> None)
  | None -> None

(** val either :
    (Bigint.t -> Bigint.t -> Bigint.t) -> Bigint.t option -> Bigint.t option
    -> Bigint.t option **)

let either f x y =
  match x with
  | Some x0 -> (match y with
                | Some y0 -> Some (f x0 y0)
                | None -> Some x0)
  | None -> y

(** val times : interval -> interval -> interval **)

let times x y =
  let (o, o0) = x in
  (match o with
   | Some l ->
     (match o0 with
      | Some u ->
        let (o1, o2) = y in
        (match o1 with
         | Some l' ->
           (match o2 with
            | Some u' ->
              ((Some
                (Z.min (Z.min (Z.mul l l') (Z.mul l u'))
                  (Z.min (Z.mul u l') (Z.mul u u')))), (Some
                (Z.max (Z.max (Z.mul l l') (Z.mul l u'))
                  (Z.max (Z.mul u l') (Z.mul u u')))))
            | None -> (None, None))
         | None -> (None, None))
      | None -> (None, None))
   | None -> (None, None))

(** val quotient : interval -> interval -> interval **)

let quotient x = function
| (o, o0) ->
  (match o with
   | Some l ->
     (match o0 with
      | Some u ->
        if (&&) (Z.eqb l u) (Z.ltb Bigint.zero l)
        then ((option_map (fun a -> Z.div a l) (fst x)),
               (option_map (fun a -> Z.div a l) (snd x)))
        else (None, None)
      | None -> (None, None))
   | None -> (None, None))

(** val range : ('a1 -> interval) -> 'a1 expr -> interval **)

let rec range b = function
| Const z0 -> exactly z0
| Qty q -> b q
| Add (x, y) ->
  let x0 = range b x in
  let y0 = range b y in
  ((lift2 Z.add (fst x0) (fst y0)), (lift2 Z.add (snd x0) (snd y0)))
| Sub (x, y) ->
  let x0 = range b x in
  let y0 = range b y in
  ((lift2 Z.sub (fst x0) (snd y0)), (lift2 Z.sub (snd x0) (fst y0)))
| Mul (x, y) -> times (range b x) (range b y)
| Div (x, y) -> quotient (range b x) (range b y)
| Min (x, y) ->
  let x0 = range b x in
  let y0 = range b y in
  ((lift2 Z.min (fst x0) (fst y0)), (either Z.min (snd x0) (snd y0)))
| Max (x, y) ->
  let x0 = range b x in
  let y0 = range b y in
  ((either Z.max (fst x0) (fst y0)), (lift2 Z.max (snd x0) (snd y0)))

(** val at_least : interval -> interval -> bool option **)

let at_least x y =
  match fst x with
  | Some l ->
    (match snd y with
     | Some u ->
       if Z.leb u l
       then Some true
       else (match snd x with
             | Some u' ->
               (match fst y with
                | Some l' -> if Z.ltb u' l' then Some false else None
                | None -> None)
             | None -> None)
     | None ->
       (match snd x with
        | Some u' ->
          (match fst y with
           | Some l' -> if Z.ltb u' l' then Some false else None
           | None -> None)
        | None -> None))
  | None ->
    (match snd x with
     | Some u' ->
       (match fst y with
        | Some l' -> if Z.ltb u' l' then Some false else None
        | None -> None)
     | None -> None)

(** val and3 : bool option -> bool option -> bool option **)

let and3 x y =
  match x with
  | Some b0 -> if b0 then y else Some false
  | None ->
    (match y with
     | Some b0 -> if b0 then None else Some false
     | None -> None)

(** val decide : ('a1 -> interval) -> 'a1 comparison0 -> bool option **)

let rec decide b = function
| AtLeast (x, y) -> at_least (range b x) (range b y)
| AtMost (x, y) -> at_least (range b y) (range b x)
| Equal (x, y) ->
  and3 (at_least (range b x) (range b y)) (at_least (range b y) (range b x))
| Both (p0, q) -> and3 (decide b p0) (decide b q)
| Decided x ->
  let (o, o0) = range b x in
  (match o with
   | Some l ->
     (match o0 with
      | Some u -> if Z.eqb l u then Some true else None
      | None -> None)
   | None -> None)

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

(** val equal_row : Bigint.t list -> Bigint.t list -> bool **)

let rec equal_row r s =
  match r with
  | [] -> (match s with
           | [] -> true
           | _ :: _ -> false)
  | x :: r' ->
    (match s with
     | [] -> false
     | y :: s' -> if Z.eqb x y then equal_row r' s' else false)

(** val equal_rows : Bigint.t list list -> Bigint.t list list -> bool **)

let rec equal_rows r s =
  match r with
  | [] -> (match s with
           | [] -> true
           | _ :: _ -> false)
  | x :: r' ->
    (match s with
     | [] -> false
     | y :: s' -> if equal_row x y then equal_rows r' s' else false)

(** val shared : problem -> bool **)

let shared d0 =
  let c = context_at d0 Bigint.zero in
  all (fun t0 -> equal_rows c (context_at d0 t0)) (iota Bigint.zero d0.t)

(** val width : Bigint.t list list -> Bigint.t **)

let width m =
  size0 (head [] m)

(** val wf_matrix : Bigint.t list list -> bool **)

let wf_matrix m =
  (&&) (leq (Bigint.succ Bigint.zero) (size0 m))
    (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic width m))
      m)

(** val varying : problem -> Bigint.t **)

let varying d0 =
  if shared d0 then d0.d else muln (Bigint.succ d0.n) d0.d

(** val before : arguments -> Bigint.t -> Bigint.t -> bool **)

let before c s t0 =
  let value = fun t1 -> nth Bigint.zero c.values t1 in
  (||) (Z.ltb (value t0) (value s))
    ((&&) (Z.eqb (value t0) (value s)) (leq (Bigint.succ s) t0))

(** val columns : Bigint.t -> Bigint.t list list -> Bigint.t list list **)

let columns m m0 =
  map0 (fun k -> col k m0) (iota Bigint.zero m)

type literal_head =
| FactorHead of Bigint.t list list * Bigint.t list list * Bigint.t list
| CombinedHead of Bigint.t list list
| ProjectedHead of Bigint.t

(** val prepare : layer -> Bigint.t -> literal_head **)

let prepare l h0 =
  match l with
  | Factors (m, _, k, _, q, _, _, _, bQ) ->
    FactorHead ((nth [] k h0), (columns m (nth [] q h0)), (nth [] bQ h0))
  | Combined (_, w) -> CombinedHead (nth [] w h0)
  | Projected _ -> ProjectedHead h0

(** val prepared : problem -> layer -> literal_head list **)

let prepared d0 l =
  map0 (fun h0 -> prepare l h0) (iota Bigint.zero d0.h)

(** val vector_den : problem -> layer -> Bigint.t **)

let vector_den d0 = function
| Factors (_, qk, _, qq, _, _, _, qqb, _) ->
  Coq_Pos.mul qk (Coq_Pos.mul (Coq_Pos.mul qq d0.q_queries) qqb)
| Combined (q, _) -> Coq_Pos.mul q d0.q_queries
| Projected _ -> Bigint.one

(** val add_bias :
    Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list **)

let rec add_bias c u b =
  match u with
  | [] -> u
  | x :: u' ->
    (match b with
     | [] -> u
     | y :: b' -> (Z.add x (Z.mul c y)) :: (add_bias c u' b'))

(** val raw_vector :
    problem -> layer -> literal_head -> Bigint.t list -> Bigint.t list **)

let raw_vector d0 l g q =
  match l with
  | Factors (_, _, _, qq, _, _, _, qqb, _) ->
    (match g with
     | FactorHead (k, q0, b) ->
       let u = map0 (fun c -> Z.mul (dot q c) ((fun p -> p) qqb)) q0 in
       let u0 = add_bias ((fun p -> p) (Coq_Pos.mul qq d0.q_queries)) u b in
       map0 (fun r -> dot r u0) k
     | CombinedHead w -> map0 (fun r -> dot r q) w
     | ProjectedHead _ -> [])
  | _ -> (match g with
          | CombinedHead w -> map0 (fun r -> dot r q) w
          | _ -> [])

(** val raw_logits :
    problem -> layer -> literal_head -> Bigint.t -> Bigint.t list **)

let raw_logits d0 l g t0 =
  match l with
  | Projected p ->
    (match g with
     | ProjectedHead h0 ->
       let q = nth [] (nth [] p.projected_queries t0) h0 in
       map0 (fun r -> dot r q) (nth [] (nth [] p.projected_keys t0) h0)
     | _ ->
       let w = raw_vector d0 l g (nth [] d0.queries t0) in
       map0 (fun r -> dot r w) (context_at d0 t0))
  | _ ->
    let w = raw_vector d0 l g (nth [] d0.queries t0) in
    map0 (fun r -> dot r w) (context_at d0 t0)

(** val raw_den : problem -> layer -> Bigint.t **)

let raw_den d0 l = match l with
| Projected p -> Coq_Pos.mul p.q_projected_keys p.q_projected_queries
| _ -> Coq_Pos.mul d0.q_contexts (vector_den d0 l)

(** val projects : layer -> bool **)

let projects = function
| Projected _ -> true
| _ -> false

(** val scale_num : problem -> bool -> Bigint.t **)

let scale_num d0 = function
| true -> (fun p -> p) Bigint.one
| false ->
  (match d0.logit_scale with
   | Rational (a, _) -> a
   | InverseRoot _ -> (fun p -> p) Bigint.one)

(** val scale_den : problem -> bool -> Bigint.t **)

let scale_den d0 = function
| true -> Bigint.one
| false ->
  (match d0.logit_scale with
   | Rational (_, q) -> q
   | InverseRoot m -> m)

(** val root : problem -> bool -> Bigint.t **)

let root d0 = function
| true -> Bigint.one
| false ->
  (match d0.logit_scale with
   | Rational (_, _) -> Bigint.one
   | InverseRoot m -> m)

(** val total_den : problem -> layer -> bool -> Bigint.t **)

let total_den d0 l absorbed =
  Coq_Pos.mul (raw_den d0 l) (scale_den d0 absorbed)

(** val exponents :
    problem -> layer -> bool -> literal_head -> Bigint.t -> Bigint.t list **)

let exponents d0 l absorbed g t0 =
  map0 (fun x -> Z.mul (scale_num d0 absorbed) x) (raw_logits d0 l g t0)

(** val wf_problem : problem -> bool **)

let wf_problem d0 =
  (&&) (leq (Bigint.succ Bigint.zero) d0.n)
    ((&&)
      (all (fun t0 ->
        let c = context_at d0 t0 in
        (&&) (eq_op nat_eqType (Obj.magic size0 c) (Obj.magic d0.n))
          (all (fun r -> leq (size0 r) d0.d) c)) (iota Bigint.zero d0.t))
      (all (fun q -> leq (size0 q) d0.d) d0.queries))

(** val wf_layer : problem -> layer -> bool **)

let wf_layer d0 = function
| Factors (m, _, k, _, _, _, _, _, bQ) ->
  (&&) (all (all (fun r -> leq (size0 r) m)) k)
    (all (fun b -> leq (size0 b) m) bQ)
| Combined (_, w) -> all (all (fun r -> leq (size0 r) d0.d)) w
| Projected p ->
  (&&) (eq_op nat_eqType (Obj.magic size0 p.projected_keys) (Obj.magic d0.t))
    (all (fun k ->
      (&&) (eq_op nat_eqType (Obj.magic size0 k) (Obj.magic d0.h))
        (all (fun m ->
          (&&) (eq_op nat_eqType (Obj.magic size0 m) (Obj.magic d0.n))
            (all (fun r -> leq (size0 r) p.projected_width) m)) k))
      p.projected_keys)

(** val begins : Bigint.t list list -> Bigint.t list list -> bool **)

let rec begins c s =
  match c with
  | [] -> true
  | r :: c' ->
    (match s with
     | [] -> true
     | s0 :: s' -> if equal_row r s0 then begins c' s' else false)

(** val period_from :
    Bigint.t list list -> Bigint.t list list -> Bigint.t -> Bigint.t list list **)

let rec period_from c s k =
  if if begins c s
     then eq_op nat_eqType (Obj.magic modn (size0 c) k)
            (Obj.magic Bigint.zero)
     else false
  then take k c
  else (match s with
        | [] -> c
        | _ :: s' -> period_from c s' (Bigint.succ k))

(** val period : Bigint.t list list -> Bigint.t list list **)

let period c =
  period_from c (behead c) (Bigint.succ Bigint.zero)

(** val counted : arguments -> Bigint.t -> bool **)

let counted c h0 =
  match c.only_head with
  | Some k -> eq_op nat_eqType (Obj.magic h0) (Obj.magic k)
  | None -> true

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

(** val distinct_after :
    ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list -> 'a1 list **)

let rec distinct_after eqA earlier0 = function
| [] -> []
| x :: s' ->
  if has (eqA x) earlier0
  then distinct_after eqA earlier0 s'
  else x :: (distinct_after eqA (x :: earlier0) s')

(** val distinct : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list **)

let distinct eqA =
  distinct_after eqA []

(** val all_tokens : problem -> Bigint.t list list **)

let all_tokens d0 =
  flatten (contexts d0)

(** val tokens : problem -> Bigint.t list list **)

let tokens d0 =
  distinct equal_row (all_tokens d0)

(** val affine_tokens : problem -> Bigint.t list list **)

let affine_tokens d0 =
  map0 (fun r -> rcons r ((fun p -> p) d0.q_contexts)) (tokens d0)

(** val differences : problem -> Bigint.t list list **)

let differences d0 =
  flatten
    (map0 (fun c ->
      map0 (fun r ->
        map0 (fun x -> Z.sub (fst x) (snd x)) (zip r (nth [] c Bigint.zero)))
        c) (distinct equal_rows (contexts d0)))

(** val total : Bigint.t list -> Bigint.t **)

let total r =
  foldr Z.add Bigint.zero r

(** val fractions : problem -> Bigint.t **)

let fractions d0 =
  addn
    (count (fun x ->
      negb (Z.eqb (Z.modulo x ((fun p -> p) d0.q_contexts)) Bigint.zero))
      (flatten (all_tokens d0)))
    (count (fun x ->
      negb (Z.eqb (Z.modulo x ((fun p -> p) d0.q_queries)) Bigint.zero))
      (flatten d0.queries))

(** val equal_pairs : Bigint.t list -> Bigint.t **)

let rec equal_pairs = function
| [] -> Bigint.zero
| x :: s' -> addn (count (Z.eqb x) s') (equal_pairs s')

(** val image_entries :
    problem -> Bigint.t list list -> Bigint.t -> Bigint.t list **)

let image_entries d0 w t0 =
  let w0 = map0 (fun r -> dot r (nth [] d0.queries t0)) w in
  map0 (fun r -> dot r w0) (context_at d0 t0)

(** val separated_entries : problem -> arguments -> Bigint.t list **)

let separated_entries d0 c =
  image_entries d0 c.w_prime c.example

(** val counted_in_data : problem -> quantity -> Bigint.t option **)

let counted_in_data d0 = function
| DistinctContexts ->
  Some (Z.of_nat (size0 (distinct equal_rows (contexts d0))))
| DistinctSums ->
  Some (Z.of_nat (size0 (distinct Z.eqb (map0 total (all_tokens d0)))))
| Varying -> Some (Z.of_nat (varying d0))
| Fractions -> Some (Z.of_nat (fractions d0))
| _ -> None

(** val quantity_dec : quantity -> quantity -> bool **)

let quantity_dec x y =
  match x with
  | Examples -> (match y with
                 | Examples -> true
                 | _ -> false)
  | Heads -> (match y with
              | Heads -> true
              | _ -> false)
  | Context -> (match y with
                | Context -> true
                | _ -> false)
  | Dimension -> (match y with
                  | Dimension -> true
                  | _ -> false)
  | HeadDimension -> (match y with
                      | HeadDimension -> true
                      | _ -> false)
  | ValueDimension -> (match y with
                       | ValueDimension -> true
                       | _ -> false)
  | OutputDimension -> (match y with
                        | OutputDimension -> true
                        | _ -> false)
  | LeastRank -> (match y with
                  | LeastRank -> true
                  | _ -> false)
  | Asked -> (match y with
              | Asked -> true
              | _ -> false)
  | RankOf m ->
    (match y with
     | RankOf m0 ->
       (match m with
        | Queries -> (match m0 with
                      | Queries -> true
                      | _ -> false)
        | Tokens -> (match m0 with
                     | Tokens -> true
                     | _ -> false)
        | AffineTokens -> (match m0 with
                           | AffineTokens -> true
                           | _ -> false)
        | Differences -> (match m0 with
                          | Differences -> true
                          | _ -> false)
        | Exponents -> (match m0 with
                        | Exponents -> true
                        | _ -> false)
        | MatrixA -> (match m0 with
                      | MatrixA -> true
                      | _ -> false)
        | MatrixB -> (match m0 with
                      | MatrixB -> true
                      | _ -> false)
        | MatrixC -> (match m0 with
                      | MatrixC -> true
                      | _ -> false)
        | Block -> (match m0 with
                    | Block -> true
                    | _ -> false)
        | RowVectors -> (match m0 with
                         | RowVectors -> true
                         | _ -> false)
        | Shifted -> (match m0 with
                      | Shifted -> true
                      | _ -> false)
        | SubsetQueries -> (match m0 with
                            | SubsetQueries -> true
                            | _ -> false))
     | _ -> false)
  | RankContexts -> (match y with
                     | RankContexts -> true
                     | _ -> false)
  | RankMixedContexts -> (match y with
                          | RankMixedContexts -> true
                          | _ -> false)
  | RankSubsetContexts ->
    (match y with
     | RankSubsetContexts -> true
     | _ -> false)
  | RankEncoding -> (match y with
                     | RankEncoding -> true
                     | _ -> false)
  | RankZ l ->
    (match y with
     | RankZ l0 ->
       (match l with
        | Some a ->
          (match l0 with
           | Some a0 ->
             let rec f n0 x0 =
               (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                 (fun _ ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> true)
                   (fun _ -> false)
                   x0)
                 (fun n1 ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> false)
                   (fun n2 -> f n1 n2)
                   x0)
                 n0
             in f a a0
           | None -> false)
        | None -> (match l0 with
                   | Some _ -> false
                   | None -> true))
     | _ -> false)
  | RankWithLabels -> (match y with
                       | RankWithLabels -> true
                       | _ -> false)
  | DistinctOutputs -> (match y with
                        | DistinctOutputs -> true
                        | _ -> false)
  | RankAny -> (match y with
                | RankAny -> true
                | _ -> false)
  | Capacity -> (match y with
                 | Capacity -> true
                 | _ -> false)
  | TailRank -> (match y with
                 | TailRank -> true
                 | _ -> false)
  | LambdaRank -> (match y with
                   | LambdaRank -> true
                   | _ -> false)
  | CapacityOf p ->
    (match y with
     | CapacityOf p0 ->
       let { part_heads = part_heads0; part_examples = part_examples0 } = p in
       let { part_heads = part_heads1; part_examples = part_examples1 } = p0
       in
       if let rec f n0 x0 =
            (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
              (fun _ ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> true)
                (fun _ -> false)
                x0)
              (fun n1 ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> false)
                (fun n2 -> f n1 n2)
                x0)
              n0
          in f part_heads0 part_heads1
       then let rec f l x0 =
              match l with
              | [] -> (match x0 with
                       | [] -> true
                       | _ :: _ -> false)
              | y0 :: l0 ->
                (match x0 with
                 | [] -> false
                 | a :: l1 ->
                   if let rec f0 n0 x1 =
                        (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                          (fun _ ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> true)
                            (fun _ -> false)
                            x1)
                          (fun n1 ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> false)
                            (fun n2 -> f0 n1 n2)
                            x1)
                          n0
                      in f0 y0 a
                   then f l0 l1
                   else false)
            in f part_examples0 part_examples1
       else false
     | _ -> false)
  | PartExamples p ->
    (match y with
     | PartExamples p0 ->
       let { part_heads = part_heads0; part_examples = part_examples0 } = p in
       let { part_heads = part_heads1; part_examples = part_examples1 } = p0
       in
       if let rec f n0 x0 =
            (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
              (fun _ ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> true)
                (fun _ -> false)
                x0)
              (fun n1 ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> false)
                (fun n2 -> f n1 n2)
                x0)
              n0
          in f part_heads0 part_heads1
       then let rec f l x0 =
              match l with
              | [] -> (match x0 with
                       | [] -> true
                       | _ :: _ -> false)
              | y0 :: l0 ->
                (match x0 with
                 | [] -> false
                 | a :: l1 ->
                   if let rec f0 n0 x1 =
                        (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                          (fun _ ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> true)
                            (fun _ -> false)
                            x1)
                          (fun n1 ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> false)
                            (fun n2 -> f0 n1 n2)
                            x1)
                          n0
                      in f0 y0 a
                   then f l0 l1
                   else false)
            in f part_examples0 part_examples1
       else false
     | _ -> false)
  | PartHeads p ->
    (match y with
     | PartHeads p0 ->
       let { part_heads = part_heads0; part_examples = part_examples0 } = p in
       let { part_heads = part_heads1; part_examples = part_examples1 } = p0
       in
       if let rec f n0 x0 =
            (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
              (fun _ ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> true)
                (fun _ -> false)
                x0)
              (fun n1 ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> false)
                (fun n2 -> f n1 n2)
                x0)
              n0
          in f part_heads0 part_heads1
       then let rec f l x0 =
              match l with
              | [] -> (match x0 with
                       | [] -> true
                       | _ :: _ -> false)
              | y0 :: l0 ->
                (match x0 with
                 | [] -> false
                 | a :: l1 ->
                   if let rec f0 n0 x1 =
                        (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                          (fun _ ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> true)
                            (fun _ -> false)
                            x1)
                          (fun n1 ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> false)
                            (fun n2 -> f0 n1 n2)
                            x1)
                          n0
                      in f0 y0 a
                   then f l0 l1
                   else false)
            in f part_examples0 part_examples1
       else false
     | _ -> false)
  | Outside p ->
    (match y with
     | Outside p0 ->
       let { part_heads = part_heads0; part_examples = part_examples0 } = p in
       let { part_heads = part_heads1; part_examples = part_examples1 } = p0
       in
       if let rec f n0 x0 =
            (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
              (fun _ ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> true)
                (fun _ -> false)
                x0)
              (fun n1 ->
              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                (fun _ -> false)
                (fun n2 -> f n1 n2)
                x0)
              n0
          in f part_heads0 part_heads1
       then let rec f l x0 =
              match l with
              | [] -> (match x0 with
                       | [] -> true
                       | _ :: _ -> false)
              | y0 :: l0 ->
                (match x0 with
                 | [] -> false
                 | a :: l1 ->
                   if let rec f0 n0 x1 =
                        (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                          (fun _ ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> true)
                            (fun _ -> false)
                            x1)
                          (fun n1 ->
                          (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                            (fun _ -> false)
                            (fun n2 -> f0 n1 n2)
                            x1)
                          n0
                      in f0 y0 a
                   then f l0 l1
                   else false)
            in f part_examples0 part_examples1
       else false
     | _ -> false)
  | LargestRank -> (match y with
                    | LargestRank -> true
                    | _ -> false)
  | Kruskal mixed ->
    (match y with
     | Kruskal mixed0 ->
       if mixed
       then if mixed0 then true else false
       else if mixed0 then false else true
     | _ -> false)
  | DistinctContexts -> (match y with
                         | DistinctContexts -> true
                         | _ -> false)
  | DistinctTokens -> (match y with
                       | DistinctTokens -> true
                       | _ -> false)
  | DistinctExamples -> (match y with
                         | DistinctExamples -> true
                         | _ -> false)
  | DistinctLabelled -> (match y with
                         | DistinctLabelled -> true
                         | _ -> false)
  | DistinctSums -> (match y with
                     | DistinctSums -> true
                     | _ -> false)
  | InShape l ->
    (match y with
     | InShape l0 ->
       (match l with
        | Some a ->
          (match l0 with
           | Some a0 ->
             let rec f n0 x0 =
               (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                 (fun _ ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> true)
                   (fun _ -> false)
                   x0)
                 (fun n1 ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> false)
                   (fun n2 -> f n1 n2)
                   x0)
                 n0
             in f a a0
           | None -> false)
        | None -> (match l0 with
                   | Some _ -> false
                   | None -> true))
     | _ -> false)
  | DistinctHeads l ->
    (match y with
     | DistinctHeads l0 ->
       (match l with
        | Some a ->
          (match l0 with
           | Some a0 ->
             let rec f n0 x0 =
               (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                 (fun _ ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> true)
                   (fun _ -> false)
                   x0)
                 (fun n1 ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> false)
                   (fun n2 -> f n1 n2)
                   x0)
                 n0
             in f a a0
           | None -> false)
        | None -> (match l0 with
                   | Some _ -> false
                   | None -> true))
     | _ -> false)
  | MovingHeads l ->
    (match y with
     | MovingHeads l0 ->
       (match l with
        | Some a ->
          (match l0 with
           | Some a0 ->
             let rec f n0 x0 =
               (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                 (fun _ ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> true)
                   (fun _ -> false)
                   x0)
                 (fun n1 ->
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ -> false)
                   (fun n2 -> f n1 n2)
                   x0)
                 n0
             in f a a0
           | None -> false)
        | None -> (match l0 with
                   | Some _ -> false
                   | None -> true))
     | _ -> false)
  | Neurons -> (match y with
                | Neurons -> true
                | _ -> false)
  | OutputBias -> (match y with
                   | OutputBias -> true
                   | _ -> false)
  | SizeSubset -> (match y with
                   | SizeSubset -> true
                   | _ -> false)
  | RowsOfVectors -> (match y with
                      | RowsOfVectors -> true
                      | _ -> false)
  | Varying -> (match y with
                | Varying -> true
                | _ -> false)
  | Fractions -> (match y with
                  | Fractions -> true
                  | _ -> false)
  | OffMomentCurve -> (match y with
                       | OffMomentCurve -> true
                       | _ -> false)
  | EqualEntries -> (match y with
                     | EqualEntries -> true
                     | _ -> false)
  | Truth x0 ->
    (match y with
     | Truth x1 ->
       (match x0 with
        | NetworkFits l ->
          (match x1 with
           | NetworkFits l0 ->
             (match l with
              | IntegerLabels ->
                (match l0 with
                 | IntegerLabels -> true
                 | _ -> false)
              | TranscendentalLabels ->
                (match l0 with
                 | TranscendentalLabels -> true
                 | _ -> false)
              | GivenLabels ->
                (match l0 with
                 | GivenLabels -> true
                 | _ -> false))
           | _ -> false)
        | SmallPerturbation ->
          (match x1 with
           | SmallPerturbation -> true
           | _ -> false)
        | Separates -> (match x1 with
                        | Separates -> true
                        | _ -> false)
        | VertexLimit -> (match x1 with
                          | VertexLimit -> true
                          | _ -> false)
        | Prescribed -> (match x1 with
                         | Prescribed -> true
                         | _ -> false)
        | OneHot -> (match x1 with
                     | OneHot -> true
                     | _ -> false)
        | ReadOut -> (match x1 with
                      | ReadOut -> true
                      | _ -> false)
        | MemorizesAll -> (match x1 with
                           | MemorizesAll -> true
                           | _ -> false)
        | MemorizesAllSkip ->
          (match x1 with
           | MemorizesAllSkip -> true
           | _ -> false)
        | MemorizesGiven ->
          (match x1 with
           | MemorizesGiven -> true
           | _ -> false)
        | LayerFits transcendental ->
          (match x1 with
           | LayerFits transcendental0 ->
             if transcendental
             then if transcendental0 then true else false
             else if transcendental0 then false else true
           | _ -> false)
        | WhichExamples (set, conflicts) ->
          (match x1 with
           | WhichExamples (set0, conflicts0) ->
             if let rec f l x2 =
                  match l with
                  | [] -> (match x2 with
                           | [] -> true
                           | _ :: _ -> false)
                  | y0 :: l0 ->
                    (match x2 with
                     | [] -> false
                     | a :: l1 ->
                       if let rec f0 n0 x3 =
                            (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                              (fun _ ->
                              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                (fun _ -> true)
                                (fun _ -> false)
                                x3)
                              (fun n1 ->
                              (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                (fun _ -> false)
                                (fun n2 -> f0 n1 n2)
                                x3)
                              n0
                          in f0 y0 a
                       then f l0 l1
                       else false)
                in f set set0
             then let rec f l x2 =
                    match l with
                    | [] -> (match x2 with
                             | [] -> true
                             | _ :: _ -> false)
                    | y0 :: l0 ->
                      (match x2 with
                       | [] -> false
                       | a :: l1 ->
                         if let (a0, b) = y0 in
                            let (a1, b0) = a in
                            if let rec f0 n0 x3 =
                                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                   (fun _ ->
                                   (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                     (fun _ -> true)
                                     (fun _ -> false)
                                     x3)
                                   (fun n1 ->
                                   (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                     (fun _ -> false)
                                     (fun n2 -> f0 n1 n2)
                                     x3)
                                   n0
                               in f0 a0 a1
                            then let rec f0 l2 x3 =
                                   match l2 with
                                   | [] ->
                                     (match x3 with
                                      | [] -> true
                                      | _ :: _ -> false)
                                   | y1 :: l3 ->
                                     (match x3 with
                                      | [] -> false
                                      | a2 :: l4 ->
                                        if let rec f1 n0 x4 =
                                             (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                               (fun _ ->
                                               (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                                 (fun _ -> true)
                                                 (fun _ -> false)
                                                 x4)
                                               (fun n1 ->
                                               (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                                                 (fun _ -> false)
                                                 (fun n2 -> f1 n1 n2)
                                                 x4)
                                               n0
                                           in f1 y1 a2
                                        then f0 l3 l4
                                        else false)
                                 in f0 b b0
                            else false
                         then f l0 l1
                         else false)
                  in f conflicts conflicts0
             else false
           | _ -> false)
        | MemorizesBias -> (match x1 with
                            | MemorizesBias -> true
                            | _ -> false))
     | _ -> false)
  | Saturated -> (match y with
                  | Saturated -> true
                  | _ -> false)
  | LargeSingularValues ->
    (match y with
     | LargeSingularValues -> true
     | _ -> false)
  | Accurate -> (match y with
                 | Accurate -> true
                 | _ -> false)
  | RankJ (l, u) ->
    (match y with
     | RankJ (l0, u0) ->
       if match l with
          | Some a ->
            (match l0 with
             | Some a0 ->
               let rec f n0 x0 =
                 (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                   (fun _ ->
                   (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                     (fun _ -> true)
                     (fun _ -> false)
                     x0)
                   (fun n1 ->
                   (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                     (fun _ -> false)
                     (fun n2 -> f n1 n2)
                     x0)
                   n0
               in f a a0
             | None -> false)
          | None -> (match l0 with
                     | Some _ -> false
                     | None -> true)
       then (match u with
             | Some a ->
               (match u0 with
                | Some a0 ->
                  let rec f l1 x0 =
                    match l1 with
                    | [] -> (match x0 with
                             | [] -> true
                             | _ :: _ -> false)
                    | y0 :: l2 ->
                      (match x0 with
                       | [] -> false
                       | a1 :: l3 ->
                         if let rec f0 l4 x1 =
                              match l4 with
                              | [] ->
                                (match x1 with
                                 | [] -> true
                                 | _ :: _ -> false)
                              | y1 :: l5 ->
                                (match x1 with
                                 | [] -> false
                                 | a2 :: l6 ->
                                   if (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                                        (fun _ ->
                                        (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                                          (fun _ -> true)
                                          (fun _ -> false)
                                          (fun _ -> false)
                                          a2)
                                        (fun p ->
                                        (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                                          (fun _ -> false)
                                          (fun p0 ->
                                          let rec f1 p1 x2 =
                                            (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                              (fun p2 ->
                                              (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                                (fun p3 -> f1 p2 p3)
                                                (fun _ -> false)
                                                (fun _ -> false)
                                                x2)
                                              (fun p2 ->
                                              (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                                (fun _ -> false)
                                                (fun p3 -> f1 p2 p3)
                                                (fun _ -> false)
                                                x2)
                                              (fun _ ->
                                              (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                                (fun _ -> false)
                                                (fun _ -> false)
                                                (fun _ -> true)
                                                x2)
                                              p1
                                          in f1 p p0)
                                          (fun _ -> false)
                                          a2)
                                        (fun p ->
                                        (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                                          (fun _ -> false)
                                          (fun _ -> false)
                                          (fun p0 ->
                                          let rec f1 p1 x2 =
                                            (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                              (fun p2 ->
                                              (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                                (fun p3 -> f1 p2 p3)
                                                (fun _ -> false)
                                                (fun _ -> false)
                                                x2)
                                              (fun p2 ->
                                              (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                                (fun _ -> false)
                                                (fun p3 -> f1 p2 p3)
                                                (fun _ -> false)
                                                x2)
                                              (fun _ ->
                                              (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                                (fun _ -> false)
                                                (fun _ -> false)
                                                (fun _ -> true)
                                                x2)
                                              p1
                                          in f1 p p0)
                                          a2)
                                        y1
                                   then f0 l5 l6
                                   else false)
                            in f0 y0 a1
                         then f l2 l3
                         else false)
                  in f a a0
                | None -> false)
             | None -> (match u0 with
                        | Some _ -> false
                        | None -> true))
       else false
     | _ -> false)
  | FunctionalDimension ->
    (match y with
     | FunctionalDimension -> true
     | _ -> false)
  | EmbeddedCapacity -> (match y with
                         | EmbeddedCapacity -> true
                         | _ -> false)
  | GenericOutputs -> (match y with
                       | GenericOutputs -> true
                       | _ -> false)
  | Spread s ->
    (match y with
     | Spread s0 ->
       let rec f l x0 =
         match l with
         | [] -> (match x0 with
                  | [] -> true
                  | _ :: _ -> false)
         | y0 :: l0 ->
           (match x0 with
            | [] -> false
            | a :: l1 ->
              if let rec f0 l2 x1 =
                   match l2 with
                   | [] -> (match x1 with
                            | [] -> true
                            | _ :: _ -> false)
                   | y1 :: l3 ->
                     (match x1 with
                      | [] -> false
                      | a0 :: l4 ->
                        if (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                             (fun _ ->
                             (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                               (fun _ -> true)
                               (fun _ -> false)
                               (fun _ -> false)
                               a0)
                             (fun p ->
                             (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                               (fun _ -> false)
                               (fun p0 ->
                               let rec f1 p1 x2 =
                                 (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     x2)
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     x2)
                                   (fun _ ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     (fun _ -> true)
                                     x2)
                                   p1
                               in f1 p p0)
                               (fun _ -> false)
                               a0)
                             (fun p ->
                             (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                               (fun _ -> false)
                               (fun _ -> false)
                               (fun p0 ->
                               let rec f1 p1 x2 =
                                 (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     x2)
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     x2)
                                   (fun _ ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     (fun _ -> true)
                                     x2)
                                   p1
                               in f1 p p0)
                               a0)
                             y1
                        then f0 l3 l4
                        else false)
                 in f0 y0 a
              then f l0 l1
              else false)
       in f s s0
     | _ -> false)
  | SumsOfWords s ->
    (match y with
     | SumsOfWords s0 ->
       let rec f l x0 =
         match l with
         | [] -> (match x0 with
                  | [] -> true
                  | _ :: _ -> false)
         | y0 :: l0 ->
           (match x0 with
            | [] -> false
            | a :: l1 ->
              if let rec f0 l2 x1 =
                   match l2 with
                   | [] -> (match x1 with
                            | [] -> true
                            | _ :: _ -> false)
                   | y1 :: l3 ->
                     (match x1 with
                      | [] -> false
                      | a0 :: l4 ->
                        if (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                             (fun _ ->
                             (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                               (fun _ -> true)
                               (fun _ -> false)
                               (fun _ -> false)
                               a0)
                             (fun p ->
                             (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                               (fun _ -> false)
                               (fun p0 ->
                               let rec f1 p1 x2 =
                                 (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     x2)
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     x2)
                                   (fun _ ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     (fun _ -> true)
                                     x2)
                                   p1
                               in f1 p p0)
                               (fun _ -> false)
                               a0)
                             (fun p ->
                             (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
                               (fun _ -> false)
                               (fun _ -> false)
                               (fun p0 ->
                               let rec f1 p1 x2 =
                                 (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     x2)
                                   (fun p2 ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun p3 -> f1 p2 p3)
                                     (fun _ -> false)
                                     x2)
                                   (fun _ ->
                                   (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
                                     (fun _ -> false)
                                     (fun _ -> false)
                                     (fun _ -> true)
                                     x2)
                                   p1
                               in f1 p p0)
                               a0)
                             y1
                        then f0 l3 l4
                        else false)
                 in f0 y0 a
              then f l0 l1
              else false)
       in f s s0
     | _ -> false)
  | RankBlocks b ->
    (match y with
     | RankBlocks b0 ->
       (match b with
        | WithOnes and_labels ->
          (match b0 with
           | WithOnes and_labels0 ->
             if and_labels
             then if and_labels0 then true else false
             else if and_labels0 then false else true
           | _ -> false)
        | OneHead outputs ->
          (match b0 with
           | OneHead outputs0 ->
             if outputs
             then if outputs0 then true else false
             else if outputs0 then false else true
           | _ -> false)
        | Outputs (ones, labels0) ->
          (match b0 with
           | Outputs (ones0, labels1) ->
             if ones
             then if ones0
                  then if labels0
                       then if labels1 then true else false
                       else if labels1 then false else true
                  else false
             else if ones0
                  then false
                  else if labels0
                       then if labels1 then true else false
                       else if labels1 then false else true
           | _ -> false))
     | _ -> false)
  | OnlyHead -> (match y with
                 | OnlyHead -> true
                 | _ -> false)
  | ValueBiases -> (match y with
                    | ValueBiases -> true
                    | _ -> false)
  | LabelEntries varying0 ->
    (match y with
     | LabelEntries varying1 ->
       if varying0
       then if varying1 then true else false
       else if varying1 then false else true
     | _ -> false)

(** val equal_example :
    (Bigint.t list list * Bigint.t list) -> (Bigint.t list list * Bigint.t
    list) -> bool **)

let equal_example x y =
  (&&) (equal_row (snd x) (snd y)) (equal_rows (fst x) (fst y))

(** val leq_row : Bigint.t list -> Bigint.t list -> bool **)

let rec leq_row r s =
  match r with
  | [] -> true
  | x :: r' ->
    (match s with
     | [] -> false
     | y :: s' ->
       if Z.ltb x y then true else if Z.eqb x y then leq_row r' s' else false)

(** val sorted_rows : Bigint.t list list -> Bigint.t list list **)

let sorted_rows c =
  let p = period c in
  let k = divn (size0 c) (size0 p) in
  flatten (map0 (fun r -> nseq k r) (sort0 leq_row p))

(** val example_key :
    problem -> Bigint.t -> Bigint.t list list * Bigint.t list **)

let example_key d0 t0 =
  ((sorted_rows (context_at d0 t0)), (nth [] d0.queries t0))

(** val distinct_examples :
    problem -> (Bigint.t list list * Bigint.t list) list **)

let distinct_examples d0 =
  distinct equal_example
    (map0 (fun t0 -> example_key d0 t0) (iota Bigint.zero d0.t))

(** val good_part : problem -> part -> bool **)

let good_part d0 p =
  (&&) (uniq nat_eqType (Obj.magic p.part_examples))
    (all (fun t0 -> leq (Bigint.succ t0) d0.t) p.part_examples)

(** val outside :
    problem -> part -> (Bigint.t list list * Bigint.t list) list **)

let outside d0 p =
  let inside = map0 (fun t0 -> example_key d0 t0) p.part_examples in
  distinct equal_example
    (filter (fun x -> negb (has (equal_example x) inside))
      (map0 (fun t0 -> example_key d0 t0) (iota Bigint.zero d0.t)))

(** val equal_labelled :
    ((Bigint.t list list * Bigint.t list) * Bigint.t list) -> ((Bigint.t list
    list * Bigint.t list) * Bigint.t list) -> bool **)

let equal_labelled x y =
  (&&) (equal_row (snd x) (snd y)) (equal_example (fst x) (fst y))

(** val labelled_example :
    problem -> Bigint.t -> (Bigint.t list list * Bigint.t list) * Bigint.t
    list **)

let labelled_example d0 t0 =
  ((example_key d0 t0), (nth [] d0.labels t0))

(** val reduced : Bigint.t list -> Bigint.t list **)

let reduced l =
  map0 (fun x -> Z.sub x (nth Bigint.zero l Bigint.zero)) l

(** val head_logits :
    problem -> layer -> literal_head -> Bigint.t list list **)

let head_logits d0 l g =
  map0 (fun t0 -> reduced (raw_logits d0 l g t0)) (iota Bigint.zero d0.t)

(** val constant_rows : Bigint.t list list -> bool **)

let constant_rows s =
  all (equal_row (nth [] s Bigint.zero)) s

(** val distinct_heads : problem -> layer -> Bigint.t list list list **)

let distinct_heads d0 l =
  distinct equal_rows (map0 (fun g -> head_logits d0 l g) (prepared d0 l))

(** val in_shape : problem -> layer -> bool **)

let in_shape d0 = function
| Factors (m, _, _, _, _, _, _, _, bQ) -> (&&) (leq m d0.d_h) (nilp bQ)
| Combined (_, _) -> leq d0.d d0.d_h
| Projected _ -> false

(** val on_curve : Bigint.t -> Bigint.t -> Bigint.t list -> bool **)

let on_curve d0 q r =
  all (fun j ->
    Z.eqb (Z.mul (nth Bigint.zero r j) (Z.pow q (Z.of_nat j)))
      (Z.mul
        (Z.pow (nth Bigint.zero r (Bigint.succ Bigint.zero)) (Z.of_nat j)) q))
    (iota Bigint.zero d0)

(** val off_curve :
    Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t **)

let rec off_curve d0 q earlier0 = function
| [] -> Bigint.zero
| r :: rows' ->
  addn
    (nat_of_bool
      (negb
        ((&&) (on_curve d0 q r)
          ((||) (leq d0 (Bigint.succ Bigint.zero))
            (negb
              (has (Z.eqb (nth Bigint.zero r (Bigint.succ Bigint.zero)))
                earlier0))))))
    (off_curve d0 q
      ((nth Bigint.zero r (Bigint.succ Bigint.zero)) :: earlier0) rows')

type vertex = Bigint.t * Bigint.t list

(** val words_of : Bigint.t list list -> Bigint.t list **)

let words_of s =
  distinct Z.eqb (flatten s)

(** val shift :
    Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list **)

let shift sign by_ v =
  map0 (fun x -> Z.add (fst x) (Z.mul sign (snd x))) (zip v by_)

(** val join :
    Bigint.t list -> (vertex list * vertex list) ->
    ((Bigint.t * Bigint.t) * Bigint.t list) -> vertex list * vertex list **)

let join ws g = function
| (p, x) ->
  let (z0, i) = p in
  let u =
    nth (Bigint.zero, []) (fst g)
      (index ZInstances.coq_Z_eqType (Obj.magic z0) (Obj.magic ws))
  in
  let v = nth (Bigint.zero, []) (snd g) i in
  if eq_op nat_eqType (fst (Obj.magic u)) (fst (Obj.magic v))
  then g
  else let gap =
         shift
           (Obj.magic GRing.opp
             (GRing.Ring.zmodType ZInstances.coq_Z_ringType)
             (GRing.one ZInstances.coq_Z_ringType)) (snd v)
           (shift
             (Obj.magic GRing.opp
               (GRing.Ring.zmodType ZInstances.coq_Z_ringType)
               (GRing.one ZInstances.coq_Z_ringType)) (snd u) x)
       in
       let moved = fun sign y ->
         if eq_op nat_eqType (fst y) (fst (Obj.magic v))
         then ((fst u), (shift sign gap (snd y)))
         else Obj.magic y
       in
       ((map0 (fun y -> Obj.magic moved (Bigint.neg Bigint.one) y) (fst g)),
       (map0 (fun y -> Obj.magic moved ((fun p -> p) Bigint.one) y) (snd g)))

(** val edges :
    problem -> Bigint.t list list -> ((Bigint.t * Bigint.t) * Bigint.t list)
    list **)

let edges d0 s =
  flatten
    (map0 (fun t0 ->
      map0 (fun i -> (((ent s t0 i), i), (nth [] (context_at d0 t0) i)))
        (iota Bigint.zero d0.n)) (iota Bigint.zero d0.t))

(** val joined :
    problem -> Bigint.t list list -> vertex list * vertex list **)

let joined d0 s =
  let zero0 = nseq d0.d Bigint.zero in
  let ws = words_of s in
  foldl (join ws) ((map0 (fun k -> (k, zero0)) (iota d0.n (size0 ws))),
    (map0 (fun i -> (i, zero0)) (iota Bigint.zero d0.n))) (edges d0 s)

(** val spread : problem -> Bigint.t list list -> Bigint.t **)

let spread d0 s =
  let ws = words_of s in
  let g = joined d0 s in
  let whole0 =
    all (fun e ->
      eq_op nat_eqType
        (fst
          (nth ((Obj.magic Bigint.zero), []) (fst (Obj.magic g))
            (index ZInstances.coq_Z_eqType (fst (fst (Obj.magic e)))
              (Obj.magic ws))))
        (fst
          (nth ((Obj.magic Bigint.zero), []) (snd (Obj.magic g))
            (snd (fst e))))) (edges d0 s)
  in
  subn (addn (size0 ws) d0.n)
    (if whole0
     then size0
            (undup nat_eqType
              (map0 (fun y -> fst (Obj.magic y)) (take d0.n (snd g))))
     else Bigint.zero)

(** val sums_of_words : problem -> Bigint.t list list -> bool **)

let sums_of_words d0 s =
  let ws = words_of s in
  let g = joined d0 s in
  all (fun e ->
    equal_row
      (shift (Obj.magic GRing.one ZInstances.coq_Z_ringType)
        (snd
          (nth (Bigint.zero, []) (fst g)
            (index ZInstances.coq_Z_eqType (fst (fst (Obj.magic e)))
              (Obj.magic ws))))
        (snd (nth (Bigint.zero, []) (snd g) (snd (fst e))))) (snd e))
    (edges d0 s)

(** val label_entries : problem -> bool -> Bigint.t **)

let label_entries d0 varying0 =
  count (fun x ->
    negb
      (Z.eqb (ent d0.labels (fst x) (snd x))
        (if varying0 then ent d0.labels Bigint.zero (snd x) else Bigint.zero)))
    (flatten
      (map0 (fun t0 -> map0 (fun o -> (t0, o)) (iota Bigint.zero d0.d_out))
        (iota Bigint.zero d0.t)))

(** val computed :
    problem -> (layer_name -> (layer * bool) option) -> quantity -> Bigint.t
    option **)

let computed d0 layers q = match q with
| Outside p -> Some (Z.of_nat (size0 (outside d0 p)))
| DistinctTokens -> Some (Z.of_nat (size0 (tokens d0)))
| DistinctExamples -> Some (Z.of_nat (size0 (distinct_examples d0)))
| DistinctLabelled ->
  Some
    (Z.of_nat
      (size0
        (distinct equal_labelled
          (map0 (fun t0 -> labelled_example d0 t0) (iota Bigint.zero d0.t)))))
| InShape l ->
  Some
    (match layers l with
     | Some la ->
       if in_shape d0 (fst la) then (fun p -> p) Bigint.one else Bigint.zero
     | None -> Bigint.zero)
| DistinctHeads l ->
  Some
    (match layers l with
     | Some la -> Z.of_nat (size0 (distinct_heads d0 (fst la)))
     | None -> Bigint.zero)
| MovingHeads l ->
  Some
    (match layers l with
     | Some la ->
       Z.of_nat
         (size0
           (filter (fun s -> negb (constant_rows s))
             (distinct_heads d0 (fst la))))
     | None -> Bigint.zero)
| OffMomentCurve ->
  Some (Z.of_nat (off_curve d0.d ((fun p -> p) d0.q_queries) [] d0.queries))
| Spread s -> Some (Z.of_nat (spread d0 s))
| SumsOfWords s ->
  Some (if sums_of_words d0 s then (fun p -> p) Bigint.one else Bigint.zero)
| ValueBiases ->
  (match d0.around with
   | Some w ->
     Some
       (Z.of_nat
         (count (fun x -> negb (Z.eqb x Bigint.zero)) (flatten w.value_bias)))
   | None -> None)
| LabelEntries varying0 -> Some (Z.of_nat (label_entries d0 varying0))
| _ -> counted_in_data d0 q

(** val wf_sizes : problem -> bool **)

let wf_sizes d0 =
  (&&) (wf_problem d0)
    ((&&) (leq (Bigint.succ Bigint.zero) d0.t)
      ((&&) (eq_op nat_eqType (Obj.magic size0 d0.queries) (Obj.magic d0.t))
        ((&&)
          (all (fun q ->
            eq_op nat_eqType (Obj.magic size0 q) (Obj.magic d0.d)) d0.queries)
          (all (fun t0 ->
            all (fun r ->
              eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.d))
              (context_at d0 t0)) (iota Bigint.zero d0.t)))))

(** val up_to : Bigint.t -> interval **)

let up_to k =
  ((Some Bigint.zero), (Some (Z.of_nat k)))

(** val exactly_nat : Bigint.t -> interval **)

let exactly_nat k =
  exactly (Z.of_nat k)

(** val most_of_J : problem -> Bigint.t **)

let most_of_J d0 =
  minn (muln d0.t d0.d_out)
    (muln (muln d0.h d0.d)
      (addn (muln (Bigint.succ (Bigint.succ Bigint.zero)) (maxn d0.d d0.d_h))
        d0.d_out))

(** val most_of_blocks : problem -> blocks -> Bigint.t **)

let most_of_blocks d0 b =
  let values0 =
    match d0.around with
    | Some w -> w.value_width
    | None -> Bigint.zero
  in
  minn d0.t
    (match b with
     | WithOnes l ->
       addn (muln d0.h d0.d)
         (addn (Bigint.succ Bigint.zero)
           (if l then d0.d_out else Bigint.zero))
     | OneHead o -> if o then values0 else d0.d
     | Outputs (o, l) ->
       addn (muln d0.h values0)
         (addn (if o then Bigint.succ Bigint.zero else Bigint.zero)
           (if l then d0.d_out else Bigint.zero)))

(** val natural :
    problem -> (layer_name -> (layer * bool) option) -> claim -> quantity ->
    interval **)

let natural d0 layers c q = match q with
| Examples -> exactly_nat d0.t
| Heads -> exactly_nat d0.h
| Context -> exactly_nat d0.n
| Dimension -> exactly_nat d0.d
| HeadDimension -> exactly_nat d0.d_h
| ValueDimension -> exactly_nat d0.d_v
| OutputDimension -> exactly_nat d0.d_out
| LeastRank -> exactly_nat (minn d0.n d0.d_h)
| Asked -> exactly c.asked
| RankOf m ->
  (match m with
   | Queries -> up_to (minn d0.t d0.d)
   | Tokens -> up_to (minn (size0 (tokens d0)) d0.d)
   | AffineTokens -> up_to (minn (size0 (tokens d0)) (Bigint.succ d0.d))
   | Differences -> up_to d0.d
   | Exponents -> up_to (muln d0.d d0.d)
   | MatrixA -> up_to (minn (size0 c.args.matrix_a) (width c.args.matrix_a))
   | MatrixB -> up_to (minn (size0 c.args.matrix_b) (width c.args.matrix_b))
   | MatrixC -> up_to (minn (size0 c.args.matrix_c) (width c.args.matrix_c))
   | Block ->
     up_to
       (minn (addn (size0 c.args.matrix_a) (size0 c.args.matrix_c))
         (addn (width c.args.matrix_a) (width c.args.matrix_c)))
   | SubsetQueries -> up_to (minn (size0 c.args.subset) d0.d)
   | _ -> up_to (minn (size0 c.args.row_vectors) (width c.args.row_vectors)))
| RankContexts -> up_to (minn d0.n d0.d)
| RankMixedContexts -> up_to (minn d0.n d0.d)
| RankSubsetContexts -> up_to (minn d0.n d0.d)
| RankEncoding -> up_to (minn d0.n d0.d)
| RankZ _ -> up_to (minn d0.t (muln d0.h d0.d))
| RankWithLabels -> up_to (minn d0.t (addn (muln d0.h d0.d) d0.d_out))
| DistinctOutputs -> up_to d0.t
| RankAny -> up_to (minn d0.t (muln d0.h d0.d))
| Capacity -> up_to (minn d0.t (muln d0.h d0.d))
| TailRank -> up_to (minn d0.t (muln d0.h d0.d))
| LambdaRank -> up_to (minn d0.t (muln d0.h d0.d))
| CapacityOf p ->
  if leq (size0 p.part_examples) d0.t then up_to d0.t else (None, None)
| PartExamples p -> exactly_nat (size0 p.part_examples)
| PartHeads p -> exactly_nat p.part_heads
| LargestRank -> up_to d0.t
| Kruskal _ -> up_to (minn d0.t d0.d)
| Neurons -> exactly_nat c.args.neurons
| OutputBias -> exactly_nat (nat_of_bool c.args.output_bias)
| SizeSubset -> exactly_nat (size0 c.args.subset)
| RowsOfVectors -> exactly_nat (size0 c.args.row_vectors)
| EqualEntries -> exactly_nat (equal_pairs (separated_entries d0 c.args))
| Truth _ -> up_to (Bigint.succ Bigint.zero)
| Saturated -> up_to (muln d0.t d0.h)
| LargeSingularValues -> up_to (minn d0.t (muln d0.h d0.d))
| Accurate -> up_to d0.t
| RankJ (l, _) ->
  (match layers l with
   | Some p ->
     let (l0, _) = p in
     (match l0 with
      | Factors (m, _, _, _, _, _, _, _, _) ->
        up_to
          (if leq m (maxn d0.d d0.d_h)
           then most_of_J d0
           else muln d0.t d0.d_out)
      | _ -> up_to (most_of_J d0))
   | None -> up_to (most_of_J d0))
| FunctionalDimension -> up_to (most_of_J d0)
| EmbeddedCapacity -> up_to (minn d0.t (muln d0.h d0.d))
| GenericOutputs -> up_to d0.t
| RankBlocks b -> up_to (most_of_blocks d0 b)
| OnlyHead ->
  (match c.args.only_head with
   | Some h0 -> exactly_nat h0
   | None -> (None, None))
| _ ->
  (match computed d0 layers q with
   | Some z0 -> exactly z0
   | None -> (None, None))

(** val draws :
    Bigint.word -> Bigint.t -> Bigint.word -> Bigint.word -> Bigint.word list **)

let rec draws p w x i =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> [])
    (fun w' ->
    x :: (draws p w' (rem0 (muladd i x x) p) (muladd i one_word one_word)))
    w

(** val random_columns :
    Bigint.word -> Bigint.t -> Bigint.t -> Bigint.word -> Bigint.word list
    list **)

let rec random_columns p k w x =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> [])
    (fun k' ->
    let c = draws p w x one_word in c :: (random_columns p k' w (last x c)))
    k

(** val product :
    Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list ->
    Bigint.word **)

let rec product p acc c r =
  match c with
  | [] -> acc
  | a :: c' ->
    (match r with
     | [] -> acc
     | y :: r' -> product p (rem0 (muladd acc a y) p) c' r')

(** val coordinates :
    Bigint.word -> Bigint.word list list -> Bigint.word list list ->
    Bigint.word list list **)

let coordinates p c m =
  map0 (fun r -> map0 (fun c0 -> product p zero c0 r) c) m

(** val normalized :
    Bigint.word -> Bigint.word -> Bigint.word list list ->
    (Bigint.word * Bigint.word list list) option **)

let rec normalized p acc = function
| [] -> (match inverse p acc with
         | Some v -> Some (v, [])
         | None -> None)
| r :: m' ->
  let x = head zero r in
  (match normalized p (mulmod p acc x) m' with
   | Some p0 ->
     let (v, n0) = p0 in
     Some ((mulmod p v x),
     ((scaled_words p (mulmod p v acc) (behead r)) :: n0))
   | None -> None)

(** val sums_of : Bigint.word list -> Bigint.word list -> Bigint.word list **)

let rec sums_of s c =
  match s with
  | [] -> c
  | x :: s' ->
    (match c with
     | [] -> s
     | y :: c' -> (muladd x one_word y) :: (sums_of s' c'))

(** val times_differences :
    Bigint.word -> (Bigint.word -> Bigint.word list list -> Bigint.word) ->
    Bigint.t -> Bigint.word -> Bigint.word list -> Bigint.word list list ->
    Bigint.word **)

let times_differences p rest k acc r n0 =
  let c = map0 (fun x -> sub0 p x) r in
  ((fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
     (fun _ ->
     if leq (Bigint.succ (size0 n0)) k
     then acc
     else rest acc (map0 (fun s -> sums_of s c) n0))
     (fun n1 ->
     (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
       (fun _ ->
       let y = head p c in
       foldl (fun a s -> mulmod p a (muladd (head zero s) one_word y)) acc n0)
       (fun _ ->
       if leq (Bigint.succ (size0 n0)) k
       then acc
       else rest acc (map0 (fun s -> sums_of s c) n0))
       n1)
     k)

(** val each :
    (Bigint.word -> Bigint.word list -> Bigint.word list list -> Bigint.word)
    -> Bigint.word -> Bigint.word list list -> Bigint.word **)

let rec each f acc = function
| [] -> acc
| r :: n' -> if is_zero acc then acc else each f (f acc r n') n'

(** val subsets_product :
    Bigint.word -> Bigint.t -> Bigint.word -> Bigint.word list list ->
    Bigint.word **)

let rec subsets_product p k acc m =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> acc)
    (fun k' ->
    (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
      (fun _ -> foldl (fun a r -> mulmod p a (head zero r)) acc m)
      (fun _ ->
      match normalized p one_word m with
      | Some p0 ->
        let (_, n0) = p0 in
        each (times_differences p (subsets_product p k') k') acc n0
      | None -> zero)
      k')
    k

(** val subsets_words :
    Bigint.word -> Bigint.t -> Bigint.t -> Bigint.word list list -> bool **)

let subsets_words p k w m =
  isSome
    (inverse p
      (subsets_product p k one_word
        (coordinates p (random_columns p k w (halved p)) m)))

(** val gaps : Bigint.t -> Bigint.t list -> Bigint.t list option **)

let rec gaps from = function
| [] -> Some []
| j :: js' ->
  if leq from j
  then Option.map (fun x -> (subn j from) :: x) (gaps (Bigint.succ j) js')
  else None

(** val at_gaps : 'a1 -> 'a1 list -> Bigint.t list -> 'a1 list **)

let rec at_gaps x0 s = function
| [] -> []
| g :: gs' ->
  let s' = drop g s in (head x0 s') :: (at_gaps x0 (behead s') gs')

(** val members_at :
    'a1 -> Bigint.t list -> Bigint.t list option -> 'a1 list -> 'a1 list **)

let members_at x0 js gs s =
  match gs with
  | Some gs0 -> at_gaps x0 s gs0
  | None -> map0 (fun j -> nth x0 s j) js

(** val minor_rows_ok :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list
    -> Bigint.t list -> bool **)

let minor_rows_ok p h0 w m rows cols =
  (&&) (Z.ltb ((fun p -> p) Bigint.one) p)
    ((&&) (all (fun t0 -> leq (Bigint.succ t0) h0) rows)
      ((&&) (all (fun j -> leq (Bigint.succ j) w) cols)
        (let gs = gaps Bigint.zero cols in
         free_mod p (size0 cols)
           (map0 (fun r -> members_at Bigint.zero cols gs r)
             (members_at [] rows (gaps Bigint.zero rows) m)))))

(** val combination :
    Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list **)

let rec combination w y m =
  match y with
  | [] -> nseq w Bigint.zero
  | c :: y' ->
    (match m with
     | [] -> nseq w Bigint.zero
     | r :: m' ->
       if Z.eqb c Bigint.zero
       then combination w y' m'
       else add_bias c (combination w y' m') r)

(** val independent_mod :
    Bigint.t -> Bigint.t -> Bigint.t list list -> bool **)

let independent_mod p w v =
  (&&) (Z.ltb ((fun p -> p) Bigint.one) p)
    ((&&) (all (fun r -> leq (size0 r) w) v) (free_mod p w v))

(** val right_zero_ok :
    Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list -> bool **)

let right_zero_ok p w m v =
  (&&) (independent_mod p w v)
    (all (fun r ->
      (&&) (leq (size0 r) w) (all (fun x -> Z.eqb (dot r x) Bigint.zero) v))
      m)

(** val left_zero_ok :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list
    list -> bool **)

let left_zero_ok p h0 w m y =
  (&&) (independent_mod p h0 y)
    ((&&) (all (fun r -> leq (size0 r) w) m)
      ((&&) (all (fun y0 -> leq (size0 y0) h0) y)
        ((&&) (eq_op nat_eqType (Obj.magic size0 m) (Obj.magic h0))
          (all (fun y0 ->
            all (fun x -> Z.eqb x Bigint.zero) (combination w y0 m)) y))))

(** val pivot_mod :
    Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t list) option **)

let pivot_mod p r =
  let j = find (fun x -> negb (Z.eqb (Z.modulo x p) Bigint.zero)) r in
  (match invmod p (nth Bigint.zero r j) with
   | Some u -> Some (j, (map0 (fun x -> Z.modulo (Z.mul u x) p) r))
   | None -> None)

(** val subsets_mod : Bigint.t -> Bigint.t -> Bigint.t list list -> bool **)

let rec subsets_mod p k =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ _ -> true)
    (fun k' ->
    let rec loop = function
    | [] -> true
    | r :: rs ->
      (&&) (loop rs)
        (if leq (Bigint.succ (size0 rs)) k'
         then true
         else (match pivot_mod p r with
               | Some p0 ->
                 let (j, r') = p0 in
                 ((fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
                    (fun _ -> true)
                    (fun _ ->
                    subsets_mod p k'
                      (map0 (fun s -> submul p (nth Bigint.zero s j) s r') rs))
                    k')
               | None -> false))
    in loop)
    k

(** val subsets_moduli : Bigint.t list **)

let subsets_moduli =
  ((fun p -> p) ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    Bigint.one)))))))))))))))))))))))))))))) :: (((fun p -> p)
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.shift_left p 1)
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    Bigint.one)))))))))))))))))))))))))))))) :: [])

(** val subsets_at :
    Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t -> bool **)

let subsets_at w k v q =
  if eq_op nat_eqType (Obj.magic k) (Obj.magic size0 v)
  then free_mod q w v
  else subsets_words (ofZ q) k w (map0 (fun r -> residues q r) v)

(** val subsets_first :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list
    -> bool **)

let rec subsets_first p w k v = function
| [] -> subsets_mod p k v
| q :: moduli' ->
  if subsets_at w k v q then true else subsets_first p w k v moduli'

(** val subsets_ok :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> bool **)

let subsets_ok p w k v =
  subsets_first p w k v subsets_moduli

(** val kruskal_ok :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> bool **)

let kruskal_ok p t0 w k v =
  (&&) (Z.ltb ((fun p -> p) Bigint.one) p)
    ((&&) (leq k t0)
      ((&&) (eq_op nat_eqType (Obj.magic size0 v) (Obj.magic t0))
        ((&&) (all (fun r -> leq (size0 r) w) v) (subsets_ok p w k v))))

(** val dot_from :
    Bigint.word -> Bigint.word list -> Bigint.word list -> Bigint.word **)

let rec dot_from x a b =
  match a with
  | [] -> x
  | y :: a' ->
    (match b with
     | [] -> x
     | z0 :: b' -> dot_from (muladd x y z0) a' b')

(** val dotmod :
    Bigint.word -> Bigint.word list -> Bigint.word list -> Bigint.word **)

let dotmod o a b =
  rem0 (dot_from zero a b) o

(** val word_bias :
    Bigint.word -> Bigint.word -> Bigint.word list -> Bigint.word list ->
    Bigint.word list **)

let rec word_bias o c u b =
  match u with
  | [] -> u
  | x :: u' ->
    (match b with
     | [] -> u
     | y :: b' -> (rem0 (muladd x c y) o) :: (word_bias o c u' b'))

type word_head =
| FactorWords of Bigint.word list list * Bigint.word list list
   * Bigint.word list
| CombinedWords of Bigint.word list list

(** val head_words : Bigint.t -> literal_head -> word_head **)

let head_words o = function
| FactorHead (k, q, b) ->
  FactorWords ((map0 (fun r -> residues o r) k),
    (map0 (fun c -> residues o c) q), (residues o b))
| CombinedHead w -> CombinedWords (map0 (fun r -> residues o r) w)
| ProjectedHead _ -> CombinedWords []

type word_layer = { word_order : Bigint.word; of_queries : Bigint.word;
                    of_bias : Bigint.word; of_logits : Bigint.word }

(** val layer_words : problem -> layer -> bool -> Bigint.t -> word_layer **)

let layer_words d0 l a o =
  let residue = fun z0 -> ofZ (Z.modulo z0 o) in
  (match l with
   | Factors (_, _, _, qq, _, _, _, qqb, _) ->
     { word_order = (ofZ o); of_queries = (residue ((fun p -> p) qqb));
       of_bias = (residue ((fun p -> p) (Coq_Pos.mul qq d0.q_queries)));
       of_logits = (residue (scale_num d0 a)) }
   | _ ->
     { word_order = (ofZ o); of_queries = zero; of_bias = zero; of_logits =
       (residue (scale_num d0 a)) })

(** val word_vector :
    word_layer -> word_head -> Bigint.word list -> Bigint.word list **)

let word_vector l g q =
  match g with
  | FactorWords (k, q0, b) ->
    let u =
      map0 (fun c ->
        mulmod l.word_order (dotmod l.word_order q c) l.of_queries) q0
    in
    let u0 = word_bias l.word_order l.of_bias u b in
    map0 (fun r -> dotmod l.word_order r u0) k
  | CombinedWords w -> map0 (fun r -> dotmod l.word_order r q) w

(** val word_exponents :
    word_layer -> word_head -> Bigint.word list -> Bigint.word list list ->
    Bigint.word list **)

let word_exponents l g q e =
  let w = word_vector l g q in
  map0 (fun r -> mulmod l.word_order l.of_logits (dotmod l.word_order r w)) e

(** val layer_width : problem -> layer -> Bigint.t **)

let layer_width d0 = function
| Factors (m, _, _, _, _, _, _, _, _) -> maxn d0.d m
| _ -> d0.d

(** val root_power :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t **)

let root_power p g o l =
  (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
    (fun _ -> (fun p -> p) Bigint.one)
    (fun k -> powmod p g k)
    (fun _ -> (fun p -> p) Bigint.one)
    (Z.modulo l o)

(** val order_ok : Bigint.t -> Bigint.t -> Bigint.t -> bool **)

let order_ok p g o =
  (&&) (Z.ltb Bigint.zero o)
    (Z.eqb (Z.modulo (powmod p g (Z.to_pos o)) p) ((fun p -> p) Bigint.one))

(** val wsum :
    Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list **)

let rec wsum p w e =
  match w with
  | [] -> []
  | x :: w' ->
    (match e with
     | [] -> []
     | r :: e' -> submul p (Z.opp x) (wsum p w' e') r)

(** val sum_mod : Bigint.t -> Bigint.t list -> Bigint.t **)

let sum_mod p w =
  foldr (fun x y -> Z.modulo (Z.add x y) p) Bigint.zero w

(** val block_of :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list
    -> Bigint.t list option **)

let block_of p g o e l =
  let w = map0 (fun x -> root_power p g o x) l in
  (match invmod p (sum_mod p w) with
   | Some u -> Some (map0 (fun x -> Z.modulo (Z.mul x u) p) (wsum p w e))
   | None -> None)

(** val all_some : ('a1 -> 'a2 option) -> 'a1 list -> 'a2 list option **)

let rec all_some f = function
| [] -> Some []
| x :: s' ->
  (match f x with
   | Some y ->
     (match all_some f s' with
      | Some r -> Some (y :: r)
      | None -> None)
   | None -> None)

(** val eliminate_each :
    ('a1 -> Bigint.t list option) -> Bigint.t -> Bigint.word array option
    list -> 'a1 list -> bool **)

let rec eliminate_each f p b = function
| [] -> true
| x :: s' ->
  (match f x with
   | Some r ->
     (match insert_row (ofZ p) [] b (Array.of_list (residues p r)) with
      | Some b' -> eliminate_each f p b' s'
      | None -> false)
   | None -> false)

(** val free_rows :
    Bigint.t -> Bigint.t -> ('a1 -> Bigint.t list option) -> 'a1 list -> bool **)

let free_rows p n0 f s =
  if fits_word p (Bigint.succ n0)
  then eliminate_each f p (nseq n0 None) s
  else (match all_some f s with
        | Some m -> free_exact p n0 m
        | None -> false)

(** val onto :
    Bigint.word list -> Bigint.word list list -> Bigint.word list list **)

let rec onto r = function
| [] -> []
| c :: e' -> ((head zero r) :: c) :: (onto (behead r) e')

(** val word_columns :
    Bigint.t -> Bigint.word list list -> Bigint.word list list **)

let word_columns d0 m =
  foldr onto (nseq d0 []) m

(** val sum_words : Bigint.word -> Bigint.word list -> Bigint.word **)

let sum_words p w =
  foldr (fun x y -> rem0 (muladd y one_word x) p) zero w

(** val block_words :
    Bigint.word -> Bigint.word list -> Bigint.word list list -> Bigint.word
    list -> Bigint.word list option **)

let block_words p sq e l =
  let w = map0 (fun x -> pow0 p sq x one_word) l in
  (match inverse p (sum_words p w) with
   | Some u ->
     Some (map0 (fun c -> mulmod p u (rem0 (dot_from zero w c) p)) e)
   | None -> None)

type reader =
| Exactly of literal_head list
| Modulo of Bigint.word * Bigint.word list * word_layer * word_head list
   * (Bigint.word list list * Bigint.word list list) option

(** val token_words :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.word
    list list * Bigint.word list list **)

let token_words d0 p o c =
  let c0 = period c in
  ((word_columns d0 (map0 (fun r -> residues p r) c0)),
  (map0 (fun r -> residues o r) c0))

(** val reader_of :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    -> reader **)

let reader_of d0 l a p g o m =
  let hs = map0 (fun h0 -> prepare l h0) (iota Bigint.zero m) in
  if (&&) (fits_word p d0.n)
       ((&&) (fits_word o (layer_width d0 l)) (negb (projects l)))
  then Modulo ((ofZ p), (squares (ofZ p) (ofZ (Z.modulo g p)) (Z.to_pos o)),
         (layer_words d0 l a o), (map0 (fun h0 -> head_words o h0) hs),
         (if shared d0
          then Some (token_words d0.d p o (context_at d0 Bigint.zero))
          else None))
  else Exactly hs

(** val blocks_mod :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> reader ->
    Bigint.t -> Bigint.t list list option **)

let blocks_mod d0 l a p g o r t0 =
  match r with
  | Exactly hs ->
    let c = context_at d0 t0 in
    let e = map0 (fun r0 -> map0 (fun x -> Z.modulo x p) r0) c in
    all_some (fun h0 -> block_of p g o e (exponents d0 l a h0 t0)) hs
  | Modulo (pw, sq, l0, hs, tokens0) ->
    let eX =
      match tokens0 with
      | Some eX -> eX
      | None -> token_words d0.d p o (context_at d0 t0)
    in
    let q = residues o (nth [] d0.queries t0) in
    (match all_some (fun h0 ->
             block_words pw sq (fst eX) (word_exponents l0 h0 q (snd eX))) hs with
     | Some r0 -> Some (map0 (fun y -> map0 toZ y) r0)
     | None -> None)

(** val residue_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> bool **)

let residue_ok d0 l a p g =
  if d0.base_two
  then (&&) (Coq_Pos.eqb (root d0 a) Bigint.one)
         (Z.eqb
           (Z.modulo
             (Z.sub (powmod p g (total_den d0 l a)) ((fun p -> p)
               ((fun p -> Bigint.shift_left p 1) Bigint.one))) p) Bigint.zero)
  else true

(** val word_nth : 'a1 -> 'a1 list -> Bigint.word -> 'a1 **)

let rec word_nth x0 s k =
  match s with
  | [] -> x0
  | x :: s' -> if is_zero k then x else word_nth x0 s' (sub0 k one_word)

(** val column_words :
    (Bigint.t * Bigint.t) list -> (Bigint.word * Bigint.word) list option **)

let column_words cols =
  if all (fun c ->
       (&&) (Z.ltb (Z.of_nat (fst c)) limit) (Z.ltb (Z.of_nat (snd c)) limit))
       cols
  then Some
         (map0 (fun c -> ((ofZ (Z.of_nat (fst c))),
           (ofZ (Z.of_nat (snd c))))) cols)
  else None

(** val entries_at :
    (Bigint.t * Bigint.t) list -> (Bigint.word * Bigint.word) list option ->
    Bigint.t list list -> Bigint.t list **)

let entries_at cols ws r =
  match ws with
  | Some ws0 ->
    map0 (fun c -> word_nth Bigint.zero (word_nth [] r (fst c)) (snd c)) ws0
  | None -> map0 (fun c -> nth Bigint.zero (nth [] r (fst c)) (snd c)) cols

(** val heads_in : (Bigint.t * Bigint.t) list -> Bigint.t **)

let heads_in cols =
  foldr (fun c m -> maxn (Bigint.succ (fst c)) m) Bigint.zero cols

(** val minor_Z_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    list -> (Bigint.t * Bigint.t) list -> bool **)

let minor_Z_ok d0 l a p g o rows cols =
  (&&) (wf_problem d0)
    ((&&) (wf_layer d0 l)
      ((&&) (Z.ltb ((fun p -> p) Bigint.one) p)
        ((&&) (order_ok p g o)
          ((&&) (residue_ok d0 l a p g)
            ((&&) (all (fun t0 -> leq (Bigint.succ t0) d0.t) rows)
              ((&&)
                (all (fun c ->
                  (&&) (leq (Bigint.succ (fst c)) d0.h)
                    (leq (Bigint.succ (snd c)) d0.d)) cols)
                (let blocks0 =
                   blocks_mod d0 l a p g o
                     (reader_of d0 l a p g o (heads_in cols))
                 in
                 let ws = column_words cols in
                 free_rows p (size0 cols) (fun t0 ->
                   Option.map (entries_at cols ws) (blocks0 t0)) rows)))))))

(** val add_sums :
    ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> ('a1 * Bigint.t) list ->
    ('a1 * Bigint.t) list -> ('a1 * Bigint.t) list **)

let rec add_sums equal less0 = function
| [] -> (fun q -> q)
| s :: p' ->
  let rec merge0 q = match q with
  | [] -> s :: p'
  | t0 :: q' ->
    if less0 (fst s) (fst t0)
    then s :: (add_sums equal less0 p' q)
    else if equal (fst s) (fst t0)
         then let c = Z.add (snd s) (snd t0) in
              if Z.eqb c Bigint.zero
              then add_sums equal less0 p' q'
              else ((fst s), c) :: (add_sums equal less0 p' q')
         else t0 :: (merge0 q')
  in merge0

(** val times_term :
    ('a1 -> 'a1 -> 'a1) -> ('a1 * Bigint.t) -> ('a1 * Bigint.t) list ->
    ('a1 * Bigint.t) list **)

let times_term plus0 s q =
  map0 (fun t0 -> ((plus0 (fst s) (fst t0)), (Z.mul (snd s) (snd t0)))) q

(** val mul_sums :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
    (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> ('a1 * Bigint.t) list
    -> ('a1 * Bigint.t) list -> ('a1 * Bigint.t) list **)

let mul_sums plus0 equal less0 collect p q =
  foldr (fun s r -> add_sums equal less0 (collect (times_term plus0 s q)) r)
    [] p

(** val weighted :
    ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> (('a1 * Bigint.t) list ->
    ('a1 * Bigint.t) list) -> 'a1 list -> Bigint.t list -> ('a1 * Bigint.t)
    list **)

let weighted equal less0 collect l w =
  foldr (fun s r ->
    if Z.eqb (snd s) Bigint.zero
    then r
    else add_sums equal less0 (collect (s :: [])) r) [] (zip l w)

(** val vanishes : ('a1 * Bigint.t) list -> bool **)

let vanishes p =
  all (fun s -> Z.eqb (snd s) Bigint.zero) p

type 'x fraction_vector = ('x * Bigint.t) list list * ('x * Bigint.t) list

(** val add_fractions :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
    (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> 'a1 fraction_vector
    -> 'a1 fraction_vector -> 'a1 fraction_vector **)

let add_fractions plus0 equal less0 collect x y =
  ((map0 (fun u ->
     add_sums equal less0
       (mul_sums plus0 equal less0 collect (snd y) (fst u))
       (mul_sums plus0 equal less0 collect (snd u) (snd x)))
     (zip (fst x) (fst y))),
    (mul_sums plus0 equal less0 collect (snd y) (snd x)))

(** val sum_fractions :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
    'a1 -> (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t ->
    'a1 fraction_vector list -> 'a1 fraction_vector **)

let sum_fractions plus0 equal less0 zero0 collect w s =
  foldl (add_fractions plus0 equal less0 collect) ((nseq w []), ((zero0,
    ((fun p -> p) Bigint.one)) :: [])) s

(** val softmax_denominator :
    ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> (('a1 * Bigint.t) list ->
    ('a1 * Bigint.t) list) -> 'a1 list -> ('a1 * Bigint.t) list **)

let softmax_denominator equal less0 collect l =
  weighted equal less0 collect l (nseq (size0 l) ((fun p -> p) Bigint.one))

(** val block_fractions :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
    (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t ->
    ('a1 * Bigint.t) list -> 'a1 list -> Bigint.t list list -> 'a1
    fraction_vector **)

let block_fractions plus0 equal less0 collect d0 y l c =
  ((map0 (fun j ->
     mul_sums plus0 equal less0 collect y
       (weighted equal less0 collect l (col j c))) (iota Bigint.zero d0)),
    (softmax_denominator equal less0 collect l))

(** val block_times :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
    (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t ->
    ('a1 * Bigint.t) list list -> 'a1 list -> Bigint.t list list -> 'a1
    fraction_vector **)

let block_times plus0 equal less0 collect d0 x l c =
  (((foldr (fun j r ->
      let xj = nth [] x j in
      if nilp xj
      then r
      else add_sums equal less0
             (mul_sums plus0 equal less0 collect xj
               (weighted equal less0 collect l (col j c))) r) []
      (iota Bigint.zero d0)) :: []),
    (softmax_denominator equal less0 collect l))

(** val left_identity :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
    'a1 -> (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t ->
    Bigint.t -> ('a1 * Bigint.t) list list -> (Bigint.t -> 'a1 list) ->
    (Bigint.t -> Bigint.t list list) -> bool **)

let left_identity plus0 equal less0 zero0 collect d0 t0 y l c =
  all vanishes
    (fst
      (sum_fractions plus0 equal less0 zero0 collect d0
        (map0 (fun t1 ->
          block_fractions plus0 equal less0 collect d0 (nth [] y t1) 
            (l t1) (c t1))
          (filter (fun t1 -> negb (nilp (nth [] y t1))) (iota Bigint.zero t0)))))

(** val right_identity :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) ->
    'a1 -> (('a1 * Bigint.t) list -> ('a1 * Bigint.t) list) -> Bigint.t ->
    Bigint.t -> ('a1 * Bigint.t) list list list -> (Bigint.t -> 'a1 list) ->
    (Bigint.t -> Bigint.t list list) -> bool **)

let right_identity plus0 equal less0 zero0 collect d0 h0 x l c =
  all vanishes
    (fst
      (sum_fractions plus0 equal less0 zero0 collect (Bigint.succ
        Bigint.zero)
        (map0 (fun h1 ->
          block_times plus0 equal less0 collect d0 (nth [] x h1) (l h1) (c h1))
          (filter (fun h1 -> negb (all nilp (nth [] x h1)))
            (iota Bigint.zero h0)))))

(** val power_of_two : Bigint.t -> Bigint.t **)

let rec power_of_two n0 =
  (fun f1 f0 fH p -> if Bigint.equal p Bigint.one then fH () else if Bigint.is_odd p then f1 (Bigint.shift_right p 1) else f0 (Bigint.shift_right p 1))
    (fun n' ->
    let x = power_of_two n' in
    Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
      (Z.mul x x))
    (fun n' -> let x = power_of_two n' in Z.mul x x)
    (fun _ -> (fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
    n0

(** val reduce_power :
    Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let reduce_power n0 s =
  (fun f0 fp fn z -> let s = Bigint.sign z in if s = 0 then f0 () else if s > 0 then fp z else fn (Bigint.neg z))
    (fun _ -> s)
    (fun k ->
    if Z.ltb ((fun p -> p) k) ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.succ (Bigint.shift_left p 1))
         ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.succ (Bigint.shift_left p 1))
         ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.succ (Bigint.shift_left p 1))
         ((fun p -> Bigint.shift_left p 1)
         ((fun p -> Bigint.succ (Bigint.shift_left p 1))
         ((fun p -> Bigint.succ (Bigint.shift_left p 1))
         ((fun p -> Bigint.succ (Bigint.shift_left p 1))
         Bigint.one))))))))))))))))))))
    then ((Z.modulo (fst s) ((fun p -> p) n0)),
           (Z.mul (snd s) (power_of_two k)))
    else s)
    (fun _ -> s)
    (Z.div (fst s) ((fun p -> p) n0))

(** val collect_powers :
    problem -> layer -> bool -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list **)

let collect_powers d0 l a p =
  if (&&) d0.base_two (Coq_Pos.eqb (root d0 a) Bigint.one)
  then foldr (fun s ->
         add_sums Z.eqb Z.ltb ((reduce_power (total_den d0 l a) s) :: [])) []
         p
  else p

(** val least_0 : Bigint.t list -> Bigint.t list **)

let least_0 l =
  let m = foldr Z.min (nth Bigint.zero l Bigint.zero) l in
  map0 (fun x -> Z.sub x m) l

(** val left_zero_Z :
    problem -> layer -> bool -> (Bigint.t * Bigint.t) list list -> bool **)

let left_zero_Z d0 l a y =
  all (fun g ->
    left_identity Z.add Z.eqb Z.ltb Bigint.zero (collect_powers d0 l a) d0.d
      d0.t y (fun t0 -> least_0 (exponents d0 l a g t0)) (fun t0 ->
      context_at d0 t0)) (prepared d0 l)

(** val right_zero_Z :
    problem -> layer -> bool -> (Bigint.t * Bigint.t) list list list -> bool **)

let right_zero_Z d0 l a x =
  all (fun t0 ->
    right_identity Z.add Z.eqb Z.ltb Bigint.zero (collect_powers d0 l a) d0.d
      d0.h x (fun h0 -> least_0 (exponents d0 l a (prepare l h0) t0))
      (fun _ -> context_at d0 t0)) (iota Bigint.zero d0.t)

(** val residue_of :
    Bigint.t -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list -> Bigint.t **)

let residue_of p g o p0 =
  foldr (fun s r ->
    Z.modulo (Z.add (Z.mul (snd s) (root_power p g o (fst s))) r) p)
    Bigint.zero p0

(** val independent_sums :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    -> (Bigint.t * Bigint.t) list list list -> bool **)

let independent_sums d0 l a p g o w v =
  (&&) (Z.ltb ((fun p -> p) Bigint.one) p)
    ((&&) (Z.ltb Bigint.zero o)
      ((&&) (all (fun v0 -> leq (size0 v0) w) v)
        ((&&)
          ((||) ((&&) (order_ok p g o) (residue_ok d0 l a p g))
            (all (all (all (fun s -> Z.eqb (fst s) Bigint.zero))) v))
          (free_mod p w
            (map0 (fun v0 -> map0 (fun p0 -> residue_of p g o p0) v0) v)))))

(** val left_zero_Z_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
    (Bigint.t * Bigint.t) list list list -> bool **)

let left_zero_Z_ok d0 l a p g o y =
  (&&) (wf_problem d0)
    ((&&) (wf_layer d0 l)
      ((&&) (independent_sums d0 l a p g o d0.t y)
        (all (left_zero_Z d0 l a) y)))

(** val right_zero_Z_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
    (Bigint.t * Bigint.t) list list list list -> bool **)

let right_zero_Z_ok d0 l a p g o v =
  (&&) (wf_problem d0)
    ((&&) (wf_layer d0 l)
      ((&&)
        (all (fun v0 ->
          (&&) (eq_op nat_eqType (Obj.magic size0 v0) (Obj.magic d0.h))
            (all (fun x ->
              eq_op nat_eqType (Obj.magic size0 x) (Obj.magic d0.d)) v0)) v)
        ((&&)
          (independent_sums d0 l a p g o (muln d0.h d0.d) (map0 flatten v))
          (all (right_zero_Z d0 l a) v))))

(** val left_zero_rows :
    problem -> layer -> bool -> Bigint.t -> (Bigint.t -> Bigint.t list) ->
    (Bigint.t * Bigint.t) list list -> bool **)

let left_zero_rows d0 l a w rows y =
  all (fun o ->
    vanishes
      (foldr (fun t0 r ->
        add_sums Z.eqb Z.ltb
          (mul_sums Z.add Z.eqb Z.ltb (collect_powers d0 l a) (nth [] y t0)
            ((Bigint.zero, (nth Bigint.zero (rows t0) o)) :: [])) r) []
        (iota Bigint.zero d0.t))) (iota Bigint.zero w)

(** val left_zero_labels :
    problem -> layer -> bool -> (Bigint.t * Bigint.t) list list -> bool **)

let left_zero_labels d0 l a =
  left_zero_rows d0 l a d0.d_out (fun t0 -> nth [] d0.labels t0)

(** val outer : Bigint.t list -> Bigint.t list -> Bigint.t list **)

let outer r e =
  flatten (map0 (fun x -> map0 (fun y -> Z.mul x y) e) r)

(** val plus_row : Bigint.t list -> Bigint.t list -> Bigint.t list **)

let rec plus_row r s =
  match r with
  | [] -> s
  | x :: r' ->
    (match s with
     | [] -> r
     | y :: s' -> (Z.add x y) :: (plus_row r' s'))

(** val less_row : Bigint.t list -> Bigint.t list -> bool **)

let rec less_row r s =
  match r with
  | [] -> (match s with
           | [] -> false
           | _ :: _ -> true)
  | x :: r' ->
    (match s with
     | [] -> false
     | y :: s' ->
       if Z.ltb x y then true else if Z.eqb x y then less_row r' s' else false)

(** val constant_sum : Bigint.t -> (Bigint.t list * Bigint.t) list **)

let constant_sum c =
  if Z.eqb c Bigint.zero then [] else ([], c) :: []

(** val zero_capacity_ok :
    problem -> Bigint.t -> Bigint.t list list -> bool **)

let zero_capacity_ok d0 p y =
  (&&) (independent_mod p d0.t y)
    ((&&)
      (all (fun y0 -> eq_op nat_eqType (Obj.magic size0 y0) (Obj.magic d0.t))
        y)
      (all (fun y0 ->
        left_identity plus_row equal_row less_row [] (fun x -> x) d0.d d0.t
          (map0 constant_sum y0) (fun t0 ->
          map0 (fun r -> outer r (nth [] d0.queries t0)) (context_at d0 t0))
          (fun t0 -> context_at d0 t0)) y))

(** val scaled : Bigint.t -> Bigint.t list -> Bigint.t list **)

let scaled k r =
  map0 (fun x -> Z.mul k x) r

(** val sum_rows : Bigint.t -> Bigint.t list list -> Bigint.t list **)

let sum_rows w m =
  combination w (nseq (size0 m) ((fun p -> p) Bigint.one)) m

(** val block_rows :
    Bigint.t list list -> Bigint.t list list -> Bigint.t list list ->
    Bigint.t list list **)

let block_rows a b c' =
  cat (map0 (fun x -> cat (fst x) (snd x)) (zip a b))
    (map0 (fun r -> cat (nseq (width a) Bigint.zero) r) c')

(** val shifted_rows :
    Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list **)

let shifted_rows p q v =
  let s = sum_rows (width v) v in
  map0 (fun r -> add_bias p (scaled ((fun p -> p) q) r) s) v

(** val literal_exponents : problem -> Bigint.t list list **)

let literal_exponents d0 =
  flatten
    (map0 (fun t0 ->
      let c = context_at d0 t0 in
      map0 (fun r ->
        outer
          (map0 (fun x -> Z.sub (fst x) (snd x))
            (zip r (nth [] c Bigint.zero))) (nth [] d0.queries t0)) c)
      (iota Bigint.zero d0.t))

(** val literal_rows :
    problem -> arguments -> matrix -> (Bigint.t * Bigint.t) * Bigint.t list
    list **)

let literal_rows d0 c = function
| Queries -> ((d0.t, d0.d), d0.queries)
| Tokens -> (((size0 (tokens d0)), d0.d), (tokens d0))
| AffineTokens ->
  (((size0 (tokens d0)), (addn d0.d (Bigint.succ Bigint.zero))),
    (affine_tokens d0))
| Differences -> (((size0 (differences d0)), d0.d), (differences d0))
| Exponents ->
  let m0 = literal_exponents d0 in (((size0 m0), (muln d0.d d0.d)), m0)
| MatrixA -> (((size0 c.matrix_a), (width c.matrix_a)), c.matrix_a)
| MatrixB -> (((size0 c.matrix_b), (width c.matrix_b)), c.matrix_b)
| MatrixC -> (((size0 c.matrix_c), (width c.matrix_c)), c.matrix_c)
| Block ->
  (((addn (size0 c.matrix_a) (size0 c.matrix_c)),
    (addn (width c.matrix_a) (width c.matrix_c))),
    (block_rows c.matrix_a c.matrix_b c.matrix_c))
| RowVectors ->
  (((size0 c.row_vectors), (width c.row_vectors)), c.row_vectors)
| Shifted ->
  (((size0 c.row_vectors), (width c.row_vectors)),
    (shifted_rows c.shift_num c.shift_den c.row_vectors))
| SubsetQueries ->
  (((size0 c.subset), d0.d), (map0 (fun t0 -> nth [] d0.queries t0) c.subset))

(** val well_shaped : arguments -> matrix -> bool **)

let well_shaped c = function
| Block ->
  (&&) (wf_matrix c.matrix_a)
    ((&&)
      (eq_op nat_eqType (Obj.magic size0 c.matrix_b)
        (Obj.magic size0 c.matrix_a)) (wf_matrix c.matrix_c))
| Shifted -> wf_matrix c.row_vectors
| _ -> true

(** val mixed_rows : problem -> Bigint.t list list -> Bigint.t list list **)

let mixed_rows d0 c =
  let s = sum_rows d0.d c in
  map0 (fun r ->
    add_bias ((fun p -> p) Bigint.one) (scaled (Z.of_nat d0.n) r) s) c

(** val members :
    problem -> arguments -> family -> Bigint.t list list list **)

let members d0 c = function
| AllContexts -> contexts d0
| MixedContexts -> map0 (fun c0 -> mixed_rows d0 c0) (contexts d0)
| SubsetContexts -> map0 (fun t0 -> context_at d0 t0) c.subset

(** val least_rank_of : family -> quantity **)

let least_rank_of = function
| AllContexts -> RankContexts
| MixedContexts -> RankMixedContexts
| SubsetContexts -> RankSubsetContexts

(** val literal_vectors : problem -> bool -> Bigint.t list list **)

let literal_vectors d0 = function
| true ->
  map0 (fun x ->
    add_bias ((fun p -> p) d0.q_queries)
      (scaled (Z.mul (Z.of_nat d0.n) ((fun p -> p) d0.q_contexts)) (snd x))
      (sum_rows d0.d (fst x))) (zip (contexts d0) d0.queries)
| false -> d0.queries

(** val one_integer : Bigint.t -> Bigint.t list -> Bigint.t **)

let rec one_integer base0 = function
| [] -> Bigint.zero
| x :: r' -> Z.add x (Z.mul base0 (one_integer base0 r'))

(** val row_from :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list **)

let rec row_from half0 base0 bits w y =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> [])
    (fun w' ->
    let q =
      shift_down bits (Obj.magic GRing.add ZInstances.coq_Z_zmodType y half0)
    in
    (Z.sub y (Z.mul base0 q)) :: (row_from half0 base0 bits w' q))
    w

(** val absolute_sum : Bigint.t list -> Bigint.t **)

let absolute_sum x =
  foldr (fun a s -> Z.add (Z.abs a) s) Bigint.zero x

(** val largest_entry : Bigint.t list list -> Bigint.t **)

let largest_entry m =
  foldr (fun r b -> foldr (fun a -> Z.max (Z.abs a)) b r) Bigint.zero m

(** val largest_sum : Bigint.t list list -> Bigint.t **)

let largest_sum x =
  foldr Z.max Bigint.zero (map0 absolute_sum x)

(** val digit_bits : Bigint.t -> Bigint.t list list -> Bigint.t **)

let digit_bits sum0 m =
  Bigint.succ (Bigint.succ
    (Z.to_nat
      (Z.log2
        (Obj.magic GRing.mul ZInstances.coq_Z_ringType sum0 (largest_entry m)))))

(** val few_columns :
    Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list ->
    Bigint.t list list **)

let few_columns sum0 w x m =
  let bits = digit_bits sum0 m in
  let half0 = (fun p -> p) (two_power (pred bits)) in
  let base0 = (fun p -> p) (two_power bits) in
  if Z.ltb (Z.mul sum0 (largest_entry m)) half0
  then let p = map0 (fun r -> one_integer base0 r) m in
       map0 (fun x0 -> row_from half0 base0 bits w (dot x0 p)) x
  else map0 (fun x0 -> combination w x0 m) x

(** val columns_of_piece : Bigint.t -> Bigint.t **)

let columns_of_piece bits =
  Z.to_nat
    (Z.div ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) Bigint.one))))))))))))
      (Z.of_nat bits))

(** val by_pieces :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list ->
    Bigint.t list list -> Bigint.t list list **)

let rec by_pieces sum0 v k w x m =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> few_columns sum0 w x m)
    (fun k' ->
    if leq w v
    then few_columns sum0 w x m
    else map0 (fun a -> cat (fst a) (snd a))
           (zip (few_columns sum0 v x (map0 (fun r -> take v r) m))
             (by_pieces sum0 v k' (subn w v) x (map0 (fun r -> drop v r) m))))
    k

(** val combinations :
    Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t list list **)

let combinations w x m =
  let sum0 = largest_sum x in
  let v = columns_of_piece (digit_bits sum0 m) in
  if (&&) (leq (Bigint.succ (Bigint.succ Bigint.zero)) v)
       (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic w)) m)
  then by_pieces sum0 v w w x m
  else map0 (fun x0 -> combination w x0 m) x

(** val turned : Bigint.t -> Bigint.t list list -> Bigint.t list list **)

let rec turned w = function
| [] -> nseq w []
| y0 :: y' -> map0 (fun a -> (fst a) :: (snd a)) (zip y0 (turned w y'))

(** val all_dots :
    Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t list list **)

let all_dots w x y =
  if all (fun y0 -> eq_op nat_eqType (Obj.magic size0 y0) (Obj.magic w)) y
  then combinations (size0 y) x (turned w y)
  else map0 (fun x0 -> map0 (fun y0 -> dot x0 y0) y) x

(** val signed_sums :
    Bigint.t -> Bigint.t list list -> (Bigint.t * Bigint.t) list **)

let signed_sums w m =
  foldr (fun r acc ->
    map0 (fun x ->
      ((Z.add (fst (fst x))
         (Z.min (snd x) (Obj.magic GRing.zero ZInstances.coq_Z_zmodType))),
      (Z.add (snd (fst x))
        (Z.max (snd x) (Obj.magic GRing.zero ZInstances.coq_Z_zmodType)))))
      (zip acc r)) (nseq w (Bigint.zero, Bigint.zero)) m

(** val widest : (Bigint.t * Bigint.t) list -> Bigint.t **)

let widest s =
  foldr (fun x w ->
    Z.max
      (Obj.magic GRing.add ZInstances.coq_Z_zmodType (snd (Obj.magic x))
        (GRing.opp ZInstances.coq_Z_zmodType (fst (Obj.magic x)))) w)
    Bigint.zero s

(** val all_times :
    Bigint.t -> (Bigint.t * Bigint.t) list list -> Bigint.t list list ->
    (Bigint.t * Bigint.t) list list **)

let all_times w s m =
  if (&&)
       (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic w)) m)
       (all (fun s0 ->
         eq_op nat_eqType (Obj.magic size0 s0) (Obj.magic size0 m)) s)
  then let sums = signed_sums w m in
       map0 (fun x ->
         let b = widest (fst x) in
         if (||) (Z.eqb b Bigint.zero)
              (all (fun y -> Z.ltb (fst y) (snd y)) (fst x))
         then map0 (fun y -> ((Z.add (fst y) (Z.mul b (fst (snd y)))),
                (Z.add (fst y) (Z.mul b (snd (snd y)))))) (zip (snd x) sums)
         else times_rows w (fst x) m)
         (zip s (combinations w (map0 unzip1 s) m))
  else map0 (fun s0 -> times_rows w s0 m) s

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

(** val network_examples : quantity comparison0 **)

let network_examples =
  AtLeast ((Qty Examples), (Add ((Add ((Mul ((Qty Neurons), (Add ((Qty
    Varying), (Const ((fun p -> p) Bigint.one)))))), (Qty OutputBias))),
    (Const ((fun p -> p) Bigint.one)))))

(** val least_n_T : quantity expr **)

let least_n_T =
  Min ((Qty Context), (Qty Examples))

(** val assumption_1 : quantity comparison0 **)

let assumption_1 =
  AtLeast ((Qty (Kruskal false)), least_n_T)

(** val assumption_2 : quantity comparison0 **)

let assumption_2 =
  AtLeast ((Qty RankContexts), (Qty Context))

(** val claim_1_hypotheses : quantity comparison0 list **)

let claim_1_hypotheses =
  (AtMost ((Qty SizeSubset), (Qty LeastRank))) :: ((AtLeast ((Qty (RankOf
    SubsetQueries)), (Qty SizeSubset))) :: ((AtLeast ((Qty
    RankSubsetContexts), (Qty Context))) :: []))

(** val claim_2_hypotheses : quantity comparison0 list **)

let claim_2_hypotheses =
  (AtMost ((Qty SizeSubset), (Sub ((Qty LeastRank), (Const ((fun p -> p)
    Bigint.one)))))) :: (assumption_1 :: (assumption_2 :: []))

(** val lemma_4_hypotheses : quantity comparison0 list **)

let lemma_4_hypotheses =
  (Equal ((Qty EqualEntries), (Const Bigint.zero))) :: []

(** val assumption_3 : quantity comparison0 **)

let assumption_3 =
  AtLeast ((Qty (Kruskal true)), least_n_T)

(** val paper_bound : quantity expr -> quantity expr **)

let paper_bound r =
  Add ((Mul ((Qty Heads), (Sub (r, (Const ((fun p -> p) Bigint.one)))))),
    (Const ((fun p -> p) Bigint.one)))

(** val transcendence_degree : quantity expr **)

let transcendence_degree =
  Add ((Mul ((Qty Heads), (Qty (RankOf Exponents)))), (Mul ((Qty
    OutputDimension), (Add ((Mul ((Sub ((Qty Heads), (Const ((fun p -> p)
    Bigint.one)))), (Qty (RankOf Differences)))), (Qty (RankOf Tokens)))))))

(** val unfittable_examples : quantity comparison0 **)

let unfittable_examples =
  AtLeast ((Mul ((Qty Examples), (Qty OutputDimension))), (Add
    (transcendence_degree, (Const ((fun p -> p) Bigint.one)))))

(** val hypotheses : statement -> quantity comparison0 list **)

let hypotheses = function
| Memorizes -> (AtMost ((Qty OutputDimension), (Qty ValueDimension))) :: []
| Proposition1 -> assumption_1 :: (assumption_2 :: [])
| Proposition2 ->
  (AtMost ((Qty DistinctContexts), (Const ((fun p -> p) Bigint.one)))) :: []
| Proposition5 ->
  (AtMost ((Qty DistinctSums), (Const ((fun p -> p) Bigint.one)))) :: []
| Theorem1 ->
  assumption_1 :: (assumption_2 :: ((AtMost ((Qty Examples),
    (paper_bound (Qty LeastRank)))) :: ((AtMost ((Qty OutputDimension), (Qty
    ValueDimension))) :: [])))
| Remark1 -> assumption_2 :: []
| SkipConnection ->
  assumption_1 :: (assumption_2 :: ((AtMost ((Qty Examples),
    (paper_bound (Qty LeastRank)))) :: ((AtMost ((Qty OutputDimension), (Min
    ((Qty ValueDimension), (Qty Dimension))))) :: [])))
| Lemma2 -> (AtLeast ((Qty (RankOf RowVectors)), (Qty RowsOfVectors))) :: []
| Lemma5 ->
  (AtLeast ((Qty (Truth SmallPerturbation)), (Const ((fun p -> p)
    Bigint.one)))) :: []
| Proposition3 l ->
  (match l with
   | IntegerLabels ->
     (Equal ((Qty Fractions), (Const
       Bigint.zero))) :: (network_examples :: (assumption_1 :: (assumption_2 :: [])))
   | TranscendentalLabels ->
     network_examples :: (assumption_1 :: (assumption_2 :: []))
   | GivenLabels -> [])
| Proposition4 -> assumption_2 :: (assumption_3 :: [])
| Lemma3 -> assumption_1 :: (assumption_2 :: [])
| Lemma4 -> lemma_4_hypotheses
| Claim1 -> claim_1_hypotheses
| Claim2 -> claim_2_hypotheses
| FiniteLambda _ -> assumption_1 :: (assumption_2 :: [])
| UnfittableLabels _ -> unfittable_examples :: []
| MemorizesBiased ->
  (AtMost ((Qty OutputDimension), (Qty ValueDimension))) :: []
| _ -> []

(** val answer : question -> quantity -> quantity comparison0 **)

let answer k q =
  match k with
  | IsValue -> Equal ((Qty q), (Qty Asked))
  | IsAtLeast -> AtLeast ((Qty q), (Qty Asked))
  | IsAtMost -> AtMost ((Qty q), (Qty Asked))
  | IsOpen -> Decided (Qty q)

(** val conclusion : statement -> question -> quantity comparison0 **)

let conclusion s k =
  match s with
  | Rank -> answer k (RankZ None)
  | Memorizes ->
    AtLeast ((Qty (Truth MemorizesGiven)), (Const ((fun p -> p) Bigint.one)))
  | Injective -> AtLeast ((Qty DistinctOutputs), (Qty Examples))
  | CapacityQuestion -> answer k Capacity
  | KruskalQuestion -> answer k (Kruskal false)
  | GeneralPosition ->
    AtLeast ((Qty (Kruskal false)), (Min ((Qty Dimension), (Qty Examples))))
  | Assumption1_ -> assumption_1
  | Assumption2_ -> assumption_2
  | Assumption3_ -> assumption_3
  | AffineHullBound ->
    AtMost ((Qty RankAny), (Min ((Min ((Min ((Qty Examples), (Mul ((Qty
      Heads), (Qty Dimension))))),
      (paper_bound (Qty (RankOf AffineTokens))))), (Mul ((Qty Heads), (Qty
      (RankOf Tokens)))))))
  | Proposition1 ->
    AtLeast ((Qty Capacity), (Min ((Qty Examples),
      (paper_bound (Qty LeastRank)))))
  | Proposition2 -> AtMost ((Qty RankAny), (paper_bound (Qty Context)))
  | Proposition5 -> AtMost ((Qty RankAny), (paper_bound (Qty Dimension)))
  | Theorem1 ->
    AtLeast ((Qty (Truth MemorizesAll)), (Const ((fun p -> p) Bigint.one)))
  | Remark1 ->
    AtLeast ((Qty Capacity), (Min ((Qty Examples),
      (paper_bound (Min ((Qty LeastRank), (Qty (Kruskal false))))))))
  | SkipConnection ->
    AtLeast ((Qty (Truth MemorizesAllSkip)), (Const ((fun p -> p)
      Bigint.one)))
  | AnyCoefficientsQuestion -> answer k RankAny
  | Lemma1 ->
    AtLeast ((Qty (RankOf Block)), (Add ((Qty (RankOf MatrixA)), (Qty (RankOf
      MatrixC)))))
  | Lemma2 -> AtLeast ((Qty (RankOf Shifted)), (Qty RowsOfVectors))
  | Lemma5 -> AtLeast ((Qty (RankOf MatrixB)), (Qty (RankOf MatrixA)))
  | Proposition3 l ->
    AtMost ((Qty (Truth (NetworkFits l))), (Const Bigint.zero))
  | Proposition4 ->
    Both (assumption_3, (AtLeast ((Qty RankMixedContexts), (Qty Context))))
  | PositionalEncoding -> AtLeast ((Qty RankEncoding), (Qty Context))
  | Lemma3 ->
    AtLeast ((Qty (Truth Separates)), (Const ((fun p -> p) Bigint.one)))
  | Lemma4 ->
    AtLeast ((Qty (Truth VertexLimit)), (Const ((fun p -> p) Bigint.one)))
  | Claim1 ->
    AtLeast ((Qty (Truth Prescribed)), (Const ((fun p -> p) Bigint.one)))
  | Claim2 ->
    AtLeast ((Qty (Truth OneHot)), (Const ((fun p -> p) Bigint.one)))
  | FiniteLambda at_lambda0 ->
    AtLeast ((Qty (if at_lambda0 then LambdaRank else TailRank)), (Min ((Qty
      Examples), (paper_bound (Qty LeastRank)))))
  | Saturation -> answer k Saturated
  | NumericalRank -> answer k LargeSingularValues
  | Accuracy -> answer k Accurate
  | Memorizable -> AtLeast ((Qty LargestRank), (Qty Examples))
  | JacobianRank -> answer k (RankJ (None, None))
  | FunctionalDimensionQuestion -> answer k FunctionalDimension
  | UnfittableLabels b ->
    AtMost ((Qty (Truth (LayerFits b))), (Const Bigint.zero))
  | WordsAndPositions -> answer k EmbeddedCapacity
  | InjectiveAlmostSurely -> AtLeast ((Qty GenericOutputs), (Qty Examples))
  | WhichQuestion (set, conflicts) ->
    (match k with
     | IsOpen ->
       Both ((answer k Capacity), (AtLeast ((Qty (Truth (WhichExamples (set,
         conflicts)))), (Const ((fun p -> p) Bigint.one)))))
     | _ -> answer k Capacity)
  | RankOfBlocks b -> answer k (RankBlocks b)
  | MemorizesBiased ->
    AtLeast ((Qty (Truth MemorizesBias)), (Const ((fun p -> p) Bigint.one)))
  | OutputMemorizes bias ->
    AtMost ((Qty (RankBlocks (Outputs (bias, true)))), (Qty (RankBlocks
      (Outputs (bias, false)))))
  | MatrixRank -> answer k (RankOf RowVectors)
  | ReluMemorizes ->
    AtLeast ((Qty (Truth (NetworkFits GivenLabels))), (Const ((fun p -> p)
      Bigint.one)))

type verdict =
| Verified of bool
| Refuted
| Inapplicable
| Undecided

(** val given_layer : problem -> layer_name -> (layer * bool) option **)

let given_layer d0 = function
| Some _ -> None
| None -> (match d0.given with
           | Some l0 -> Some (l0, false)
           | None -> None)

type paper_theorem =
| MomentCurve
| IntegerLabelling
| TranscendentalLabelling
| VandermondeEncoding
| ZeroEncoding
| UnfittableOutputs of bool

(** val paper_conditions : paper_theorem -> quantity comparison0 list **)

let paper_conditions = function
| MomentCurve -> (Equal ((Qty OffMomentCurve), (Const Bigint.zero))) :: []
| IntegerLabelling ->
  network_examples :: ((Equal ((Qty Fractions), (Const Bigint.zero))) :: [])
| TranscendentalLabelling -> network_examples :: []
| VandermondeEncoding ->
  (AtMost ((Qty Context), (Qty Dimension))) :: ((AtLeast ((Qty Dimension),
    (Const ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
    Bigint.one))))) :: [])
| ZeroEncoding ->
  (Equal ((Qty Context), (Const ((fun p -> p) Bigint.one)))) :: ((Equal ((Qty
    Dimension), (Const ((fun p -> p) Bigint.one)))) :: [])
| UnfittableOutputs _ -> unfittable_examples :: []

(** val paper_bounded : paper_theorem -> (quantity * bool) * quantity expr **)

let paper_bounded = function
| MomentCurve ->
  (((Kruskal false), true), (Min ((Qty Examples), (Qty Dimension))))
| IntegerLabelling ->
  (((Truth (NetworkFits IntegerLabels)), false), (Const Bigint.zero))
| TranscendentalLabelling ->
  (((Truth (NetworkFits TranscendentalLabels)), false), (Const Bigint.zero))
| VandermondeEncoding -> ((RankEncoding, true), (Qty Context))
| ZeroEncoding -> ((RankEncoding, false), (Const Bigint.zero))
| UnfittableOutputs b -> (((Truth (LayerFits b)), false), (Const Bigint.zero))

(** val paper_proved : problem -> arguments -> paper_theorem -> bool **)

let paper_proved d0 _ = function
| VandermondeEncoding ->
  (||) ((||) (negb (odd0 d0.d)) (leq (Bigint.succ d0.n) d0.d))
    (Z.leb (Z.of_nat d0.d) ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.shift_left p 1)
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.succ (Bigint.shift_left p 1))
      ((fun p -> Bigint.shift_left p 1) ((fun p -> Bigint.shift_left p 1)
      Bigint.one))))))))))))))))
| UnfittableOutputs _ -> leq (Bigint.succ Bigint.zero) d0.h
| _ -> true

(** val source_heads : problem -> literal_head list **)

let source_heads d0 =
  match d0.given with
  | Some l -> prepared d0 l
  | None -> []

(** val source_exponents :
    problem -> literal_head list -> Bigint.t -> Bigint.t -> Bigint.t list **)

let source_exponents d0 gs t0 h0 =
  match d0.given with
  | Some l -> exponents d0 l false (nth (CombinedHead []) gs h0) t0
  | None -> []

(** val token_key :
    problem -> layer -> literal_head -> Bigint.t list -> Bigint.t
    list * Bigint.t **)

let token_key d0 l g r =
  match l with
  | Factors (m, _, _, qq, _, _, _, qqb, _) ->
    (match g with
     | FactorHead (k, q, b) ->
       let v = combination m r k in
       ((map0 (fun x -> Z.mul ((fun p -> p) qqb) x) (combination d0.d v q)),
       (Z.mul ((fun p -> p) (Coq_Pos.mul qq d0.q_queries)) (dot v b)))
     | CombinedHead w -> ((combination d0.d r w), Bigint.zero)
     | ProjectedHead _ -> ([], Bigint.zero))
  | _ ->
    (match g with
     | CombinedHead w -> ((combination d0.d r w), Bigint.zero)
     | _ -> ([], Bigint.zero))

(** val short_columns : problem -> literal_head -> bool **)

let short_columns d0 = function
| FactorHead (_, q, _) -> all (fun c -> leq (size0 c) d0.d) q
| _ -> true

(** val each_exponents :
    problem -> literal_head list -> Bigint.t list list list **)

let each_exponents d0 gs =
  map0 (fun t0 ->
    map0 (fun h0 -> source_exponents d0 gs t0 h0) (iota Bigint.zero d0.h))
    (iota Bigint.zero d0.t)

(** val source_table : problem -> Bigint.t list list list **)

let source_table d0 =
  let gs = source_heads d0 in
  (match d0.given with
   | Some l ->
     if (&&) (negb (projects l))
          ((&&) (leq d0.n d0.t)
            ((&&) (shared d0) (all (short_columns d0) gs)))
     then let qs =
            map0 (fun t0 -> nth [] d0.queries t0) (iota Bigint.zero d0.t)
          in
          let heads =
            map0 (fun g ->
              let rows =
                map0 (fun r -> token_key d0 l g r) (context_at d0 Bigint.zero)
              in
              let numbers = unzip2 rows in
              map0 (fun r ->
                map0 (fun x ->
                  Z.mul (scale_num d0 false) (Z.add (fst x) (snd x)))
                  (zip r numbers)) (all_dots d0.d qs (unzip1 rows))) gs
          in
          map0 (fun t0 -> map0 (fun h0 -> nth [] h0 t0) heads)
            (iota Bigint.zero d0.t)
     else each_exponents d0 gs
   | None -> each_exponents d0 gs)

(** val source_den : problem -> Bigint.t **)

let source_den d0 =
  match d0.given with
  | Some l -> total_den d0 l false
  | None -> Bigint.one

(** val wf_source : problem -> bool **)

let wf_source d0 =
  match d0.given with
  | Some l -> wf_layer d0 l
  | None -> false

(** val unit_at : problem -> precision -> Bigint.t -> unit_bounds **)

let unit_at d0 p bits =
  unit_of p bits d0.base_two (root d0 false) (source_den d0)

(** val attention_table :
    problem -> Bigint.t -> (Bigint.t * Bigint.t) list list list **)

let attention_table d0 bits =
  let p = precision_of bits in
  let u = unit_at d0 p bits in
  map0 (fun ls -> map0 (fun l -> alphas p u l) ls) (source_table d0)

(** val coefficients_at :
    (Bigint.t * Bigint.t) list list list -> Bigint.t -> Bigint.t ->
    (Bigint.t * Bigint.t) list **)

let coefficients_at a t0 h0 =
  nth [] (nth [] a t0) h0

(** val exceeds : arguments -> Bigint.t -> (Bigint.t * Bigint.t) -> bool **)

let exceeds c k a =
  Z.ltb (Z.mul ((fun p -> p) c.epsilon_num) ((fun p -> p) k))
    (Z.mul ((fun p -> p) c.epsilon_den) (fst a))

(** val stays : arguments -> Bigint.t -> (Bigint.t * Bigint.t) -> bool **)

let stays c k a =
  Z.leb (Z.mul ((fun p -> p) c.epsilon_den) (snd a))
    (Z.mul ((fun p -> p) c.epsilon_num) ((fun p -> p) k))

(** val count_pairs :
    problem -> (Bigint.t -> Bigint.t -> bool) -> Bigint.t **)

let count_pairs d0 f =
  sumn
    (map0 (fun t0 -> count (f t0) (iota Bigint.zero d0.h))
      (iota Bigint.zero d0.t))

(** val pairs_found :
    problem -> arguments -> (Bigint.t * Bigint.t) list list list -> bool ->
    Bigint.t -> Bigint.t **)

let pairs_found d0 c a above bits =
  let k = denominator (precision_of bits) in
  count_pairs d0 (fun t0 h0 ->
    (&&) (counted c h0)
      (let a0 = coefficients_at a t0 h0 in
       if above then has (exceeds c k) a0 else all (stays c k) a0))

(** val pairs_counted : problem -> arguments -> Bigint.t **)

let pairs_counted d0 c =
  count_pairs d0 (fun _ h0 -> counted c h0)

(** val count_pairs_ok :
    problem -> arguments -> (Bigint.t * Bigint.t) list list list -> bool ->
    Bigint.t -> Bigint.t -> bool **)

let count_pairs_ok d0 c a above count0 bits =
  (&&) (wf_source d0) (leq count0 (pairs_found d0 c a above bits))

(** val means_of :
    problem -> (Bigint.t * Bigint.t) list list list -> Bigint.t ->
    (Bigint.t * Bigint.t) list list **)

let means_of d0 a h0 =
  if shared d0
  then all_times d0.d
         (map0 (fun t0 -> coefficients_at a t0 h0) (iota Bigint.zero d0.t))
         (context_at d0 Bigint.zero)
  else map0 (fun t0 ->
         times_rows d0.d (coefficients_at a t0 h0) (context_at d0 t0))
         (iota Bigint.zero d0.t)

(** val side_by_side : Bigint.t -> 'a1 list list list -> 'a1 list list **)

let side_by_side h0 l =
  foldr (fun m n0 -> map0 (fun x -> cat (fst x) (snd x)) (zip m n0))
    (nseq h0 []) l

(** val rounded :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let rounded scale0 den x =
  ((Z.div (Z.mul (fst x) scale0) ((fun p -> p) den)),
    (ceil_div (Z.mul (snd x) scale0) ((fun p -> p) den)))

(** val rounded_Z :
    problem -> (Bigint.t * Bigint.t) list list list -> Bigint.t ->
    (Bigint.t * Bigint.t) list list **)

let rounded_Z d0 a bits =
  let scale0 = (fun p -> p) (two_power bits) in
  let den = Coq_Pos.mul (denominator (precision_of bits)) d0.q_contexts in
  map0 (fun r -> map0 (fun x -> rounded scale0 den x) r)
    (side_by_side d0.t
      (map0 (fun h0 -> means_of d0 a h0) (iota Bigint.zero d0.h)))

(** val images :
    bool -> Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t
    list list **)

let images transposed0 w x c =
  if transposed0 then all_dots w x c else combinations w x c

(** val form_rows :
    Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list
    list -> Bigint.t list list **)

let form_rows square m n0 x y =
  map0 (fun r ->
    map0 (fun e -> Z.sub (fst e) (Z.mul square (snd e))) (zip (fst r) (snd r)))
    (zip (all_dots n0 y y) (all_dots m x x))

(** val dominant_rows : bool -> Bigint.t list list -> bool **)

let dominant_rows above f =
  all (fun r ->
    let own = nth Bigint.zero (fst r) (snd r) in
    Z.ltb (total_of (map0 Z.abs (fst r)))
      (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
        (if above then own else Z.opp own)))
    (zip f (iota Bigint.zero (size0 f)))

(** val dominant_ok :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list -> arguments ->
    bool -> Bigint.t -> Bigint.t list list -> bool **)

let dominant_ok t0 w zs c above bits x =
  let c0 = map0 unzip1 zs in
  let rho = foldr Z.max Bigint.zero (map0 widest zs) in
  let delta =
    Z.mul rho
      (Z.add (Z.sqrt (Z.of_nat (muln t0 w))) ((fun p -> p) Bigint.one))
  in
  let level =
    Z.div
      (Z.mul ((fun p -> p) c.epsilon_num) ((fun p -> p) (two_power bits)))
      ((fun p -> p) c.epsilon_den)
  in
  let theta =
    if above
    then Z.add (Z.add level ((fun p -> p) Bigint.one)) delta
    else Z.sub level delta
  in
  let transposed0 = leq (Bigint.succ w) t0 in
  let m = if transposed0 then w else t0 in
  let n0 = if transposed0 then t0 else w in
  (&&) (Z.ltb Bigint.zero theta)
    ((&&)
      (all (fun x0 -> eq_op nat_eqType (Obj.magic size0 x0) (Obj.magic m)) x)
      (dominant_rows above
        (form_rows (Z.mul theta theta) m n0 x (images transposed0 w x c0))))

(** val spectrum_ok :
    problem -> arguments -> (Bigint.t * Bigint.t) list list list -> bool ->
    Bigint.t -> Bigint.t list list -> bool **)

let spectrum_ok d0 c a above bits x =
  (&&) (wf_source d0)
    (dominant_ok d0.t (muln d0.h d0.d) (rounded_Z d0 a bits) c above bits x)

(** val smaller_side : problem -> Bigint.t **)

let smaller_side d0 =
  minn d0.t (muln d0.h d0.d)

(** val lowered : Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let lowered q x =
  ((Z.div (fst x) ((fun p -> p) q)), (ceil_div (snd x) ((fun p -> p) q)))

(** val iv_times :
    precision -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
    Bigint.t * Bigint.t **)

let iv_times p x y =
  let a = Z.mul (fst x) (fst y) in
  let b = Z.mul (fst x) (snd y) in
  let c = Z.mul (snd x) (fst y) in
  let e = Z.mul (snd x) (snd y) in
  ((shift_down p.binary_point (Z.min (Z.min a b) (Z.min c e))),
  (shift_up p.binary_point (Z.max (Z.max a b) (Z.max c e))))

(** val iv_dot :
    precision -> (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list ->
    Bigint.t * Bigint.t **)

let iv_dot p v w =
  foldr (fun x s -> plus (iv_times p (fst x) (snd x)) s) (Bigint.zero,
    Bigint.zero) (zip v w)

(** val iv_inverse :
    precision -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let iv_inverse p =
  let k = (fun p -> p) (denominator p) in
  (fun y -> ((Z.div (Z.mul k k) (snd y)), (ceil_div (Z.mul k k) (fst y))))

(** val iv_root :
    precision -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let iv_root p =
  let k = (fun p -> p) (denominator p) in
  (fun x ->
  ((Z.sqrt
     (Obj.magic GRing.mul ZInstances.coq_Z_ringType k (fst (Obj.magic x)))),
  (Z.add
    (Z.sqrt
      (Obj.magic GRing.mul ZInstances.coq_Z_ringType k (snd (Obj.magic x))))
    ((fun p -> p) Bigint.one))))

(** val table_end : precision -> Bigint.t **)

let table_end p =
  let k = (fun p -> p) (denominator p) in
  Z.mul ((fun p -> p) ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1))
    ((fun p -> Bigint.succ (Bigint.shift_left p 1)) Bigint.one)))))))) k

(** val exp_in_table :
    precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t **)

let exp_in_table p gs =
  let m = (fun p -> p) (fine p) in
  (fun r -> exp_by (finest p) m ((fun p -> p) (two_power p.guard)) gs r)

(** val exp_low :
    precision -> digit list -> Bigint.t -> Bigint.t -> Bigint.t **)

let exp_low p gs =
  let m = (fun p -> p) (fine p) in
  let rec exp_low0 k r =
    if Z.leb r (table_end p)
    then fst (exp_in_table p gs r)
    else ((fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
            (fun _ -> Bigint.zero)
            (fun k' ->
            let l =
              exp_low0 k'
                (ceil_div r ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
                  Bigint.one)))
            in
            Z.div (Z.mul l l) m)
            k)
  in exp_low0

(** val exp_high :
    precision -> digit list -> Bigint.t -> Bigint.t -> Bigint.t **)

let exp_high p gs =
  let m = (fun p -> p) (fine p) in
  let rec exp_high0 k r =
    if Z.leb r (table_end p)
    then snd (exp_in_table p gs r)
    else ((fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
            (fun _ -> snd (exp_in_table p gs (table_end p)))
            (fun k' ->
            let h0 =
              exp_high0 k'
                (Z.div r ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
                  Bigint.one)))
            in
            ceil_div (Z.mul h0 h0) m)
            k)
  in exp_high0

(** val exp_minus :
    precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t **)

let exp_minus p gs r =
  if Z.leb r (table_end p)
  then exp_in_table p gs r
  else ((exp_low p gs (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
          (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
          Bigint.zero)))))))) r),
         (exp_high p gs (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
           (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
           Bigint.zero)))))))) r))

(** val iv_softmax :
    precision -> digit list -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list **)

let iv_softmax p gs =
  let k = (fun p -> p) (denominator p) in
  (fun l ->
  let top = maximum (unzip2 l) in
  let powers =
    map0 (fun x ->
      ((fst
         (exp_minus p gs
           (Obj.magic GRing.add ZInstances.coq_Z_zmodType top
             (GRing.opp ZInstances.coq_Z_zmodType (fst (Obj.magic x)))))),
      (snd
        (exp_minus p gs
          (Obj.magic GRing.add ZInstances.coq_Z_zmodType top
            (GRing.opp ZInstances.coq_Z_zmodType (snd (Obj.magic x)))))))) l
  in
  let low = total_of (unzip1 powers) in
  let high = total_of (unzip2 powers) in
  if (&&) (Z.ltb Bigint.zero low) (Z.ltb Bigint.zero high)
  then map0 (fun x -> ((Z.div (Z.mul (fst x) k) high),
         (ceil_div (Z.mul (snd x) k) low))) powers
  else map0 (fun _ -> (Bigint.zero, k)) l)

(** val logistic_at :
    precision -> digit list -> Bigint.t -> Bigint.t * Bigint.t **)

let logistic_at p gs =
  let k = (fun p -> p) (denominator p) in
  let m = (fun p -> p) (fine p) in
  (fun r ->
  let e = exp_minus p gs (Z.abs r) in
  let low = Z.div (Z.mul k m) (Z.add m (snd e)) in
  let high = ceil_div (Z.mul k m) (Z.add m (fst e)) in
  if Z.leb Bigint.zero r then (low, high) else ((Z.sub k high), (Z.sub k low)))

(** val iv_logistic :
    precision -> digit list -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let iv_logistic p gs x =
  ((fst (logistic_at p gs (fst x))), (snd (logistic_at p gs (snd x))))

(** val iv_combination :
    precision -> Bigint.t -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list list -> (Bigint.t * Bigint.t) list **)

let iv_combination p w c rows =
  foldr (fun x s ->
    map0 (fun y -> plus (iv_times p (fst x) (fst y)) (snd y)) (zip (snd x) s))
    (nseq w (Bigint.zero, Bigint.zero)) (zip c rows)

(** val middle : (Bigint.t * Bigint.t) -> Bigint.t **)

let middle x =
  Z.add (fst x) (snd x)

(** val width_of : (Bigint.t * Bigint.t) -> Bigint.t **)

let width_of x =
  Z.sub (snd x) (fst x)

(** val sizes_are : Bigint.t -> Bigint.t -> 'a1 list list -> bool **)

let sizes_are k l m =
  (&&) (eq_op nat_eqType (Obj.magic size0 m) (Obj.magic k))
    (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic l)) m)

(** val defect :
    Bigint.t -> Bigint.t list list -> Bigint.t list -> Bigint.t list ->
    Bigint.t -> Bigint.t list -> Bigint.t **)

let defect one0 cols widths w i r =
  Z.add
    (dot
      (map0 (fun x ->
        Z.abs
          (Obj.magic GRing.add ZInstances.coq_Z_zmodType
            (if eqn (fst x) i then Obj.magic one0 else Obj.magic Bigint.zero)
            (GRing.opp ZInstances.coq_Z_zmodType (Obj.magic dot r (snd x)))))
        (zip (iota Bigint.zero (size0 cols)) cols)) w)
    (dot (map0 Z.abs r) widths)

(** val defects_of :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list -> Bigint.t list
    -> Bigint.t list list -> Bigint.t list **)

let defects_of m one0 zs w r =
  let cols = columns m (map0 (fun r0 -> map0 middle r0) zs) in
  let widths = map0 (fun r0 -> dot (map0 width_of r0) w) zs in
  map0 (fun x -> defect one0 cols widths w (fst x) (snd x))
    (zip (iota Bigint.zero m) r)

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

(** val tail_alphas :
    precision -> unit_bounds -> Bigint.t -> Bigint.t -> Bigint.t list ->
    Bigint.t list -> (Bigint.t * Bigint.t) list **)

let tail_alphas p u a b y x =
  let k = (fun p -> p) (denominator p) in
  let m = (fun p -> p) (fine p) in
  let g = (fun p -> p) (two_power p.guard) in
  let top = find (Z.eqb (maximum x)) x in
  let x0 = nth Bigint.zero x top in
  let y0 = nth Bigint.zero y top in
  let most0 = fun j ->
    if eqn j top
    then Bigint.zero
    else let e =
           Z.add (Z.mul (Z.sub y0 (nth Bigint.zero y j)) a)
             (Z.mul b (Z.sub x0 (nth Bigint.zero x j)))
         in
         if Z.leb Bigint.zero e
         then shift_up p.guard (snd (power p k m g u e))
         else k
  in
  let mosts = map0 most0 (iota Bigint.zero (size0 x)) in
  if (&&) (leq (Bigint.succ top) (size0 x)) (all (fun x1 -> Z.leb x1 x0) x)
  then map0 (fun x1 ->
         if eqn (fst x1) top
         then ((Z.sub k (total_of mosts)), k)
         else (Bigint.zero, (snd x1)))
         (zip (iota Bigint.zero (size0 x)) mosts)
  else map0 (fun _ -> (Bigint.zero, k)) x

(** val tail_layer : separated_heads -> layer **)

let tail_layer s =
  Factors (s.tail_width, s.tail_qk, s.tail_key, s.tail_qq, s.tail_query,
    Bigint.one, [], Bigint.one, [])

(** val separator_entries :
    problem -> separated_heads -> Bigint.t -> Bigint.t -> Bigint.t list **)

let separator_entries d0 s t0 h0 =
  let c = dot (nth [] s.tail_v h0) (nth [] d0.queries t0) in
  map0 (fun r -> Z.mul (dot r (nth [] s.tail_u h0)) c) (context_at d0 t0)

(** val separated_den : problem -> separated_heads -> Bigint.t **)

let separated_den d0 s =
  Coq_Pos.mul (Coq_Pos.mul d0.q_contexts s.tail_qu)
    (Coq_Pos.mul s.tail_qv d0.q_queries)

(** val terms_of : separated_heads -> Bigint.t -> Bigint.t **)

let terms_of s h0 =
  foldr maxn Bigint.zero (map0 size0 (nth [] s.tail_key h0))

(** val separating_ok : problem -> separated_heads -> bool **)

let separating_ok d0 s =
  (&&) (wf_layer d0 (tail_layer s))
    ((&&)
      (all (fun h0 ->
        leq
          (addn (terms_of s h0)
            (nat_of_bool (negb (nilp (nth [] s.tail_u h0))))) d0.d_h)
        (iota Bigint.zero d0.h))
      (all (fun h0 ->
        (||) (eq_op nat_eqType (Obj.magic h0) (Obj.magic Bigint.zero))
          (leq
            (count (fun t0 ->
              leq (Bigint.succ Bigint.zero)
                (equal_pairs (separator_entries d0 s t0 h0)))
              (iota Bigint.zero d0.t)) (pred (minn d0.n d0.d_h))))
        (iota Bigint.zero d0.h)))

(** val lambda_key :
    problem -> separated_heads -> Bigint.t -> Bigint.t -> Bigint.t list list
    list **)

let lambda_key d0 s a q =
  map0 (fun h0 ->
    map0 (fun j ->
      rcons
        (map0 (fun i ->
          Z.mul (ent (nth [] s.tail_key h0) j i) ((fun p -> p)
            (Coq_Pos.mul s.tail_qu q))) (iota Bigint.zero s.tail_width))
        (Z.mul ((fun p -> p) s.tail_qk) (Z.mul (ent s.tail_u h0 j) a)))
      (iota Bigint.zero d0.d)) (iota Bigint.zero d0.h)

(** val lambda_query :
    problem -> separated_heads -> Bigint.t list list list **)

let lambda_query d0 s =
  map0 (fun h0 ->
    map0 (fun j ->
      rcons
        (map0 (fun i ->
          Z.mul (ent (nth [] s.tail_query h0) j i) ((fun p -> p) s.tail_qv))
          (iota Bigint.zero s.tail_width))
        (Z.mul ((fun p -> p) s.tail_qq) (ent s.tail_v h0 j)))
      (iota Bigint.zero d0.d)) (iota Bigint.zero d0.h)

(** val lambda_layer :
    problem -> separated_heads -> Bigint.t -> Bigint.t -> layer **)

let lambda_layer d0 s a q =
  Factors ((Bigint.succ s.tail_width),
    (Coq_Pos.mul s.tail_qk (Coq_Pos.mul s.tail_qu q)), (lambda_key d0 s a q),
    (Coq_Pos.mul s.tail_qq s.tail_qv), (lambda_query d0 s), Bigint.one, [],
    Bigint.one, [])

(** val lambda_minor_ok :
    problem -> separated_heads -> Bigint.t -> Bigint.t -> Bigint.t ->
    Bigint.t -> Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t) list ->
    bool **)

let lambda_minor_ok d0 s a q p g o rows cols =
  if separating_ok d0 s
  then minor_Z_ok d0 (lambda_layer d0 s a q) true p g o rows cols
  else false

(** val plain_unit : problem -> tail_data -> Bigint.t -> unit_bounds **)

let plain_unit d0 w bits =
  unit_of (precision_of bits) bits d0.base_two Bigint.one
    (total_den d0 (tail_layer w.tail_heads) true)

(** val tail_unit_den : problem -> tail_data -> Bigint.t **)

let tail_unit_den d0 w =
  Coq_Pos.mul (total_den d0 (tail_layer w.tail_heads) true)
    (Coq_Pos.mul (separated_den d0 w.tail_heads) w.tail_den)

(** val tail_unit : problem -> tail_data -> Bigint.t -> unit_bounds **)

let tail_unit d0 w bits =
  unit_of (precision_of bits) bits d0.base_two Bigint.one (tail_unit_den d0 w)

(** val tail_coefficients :
    problem -> tail_data -> Bigint.t -> unit_bounds -> unit_bounds ->
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list **)

let tail_coefficients d0 w bits u u' t0 h0 =
  let p = precision_of bits in
  let y =
    exponents d0 (tail_layer w.tail_heads) true
      (prepare (tail_layer w.tail_heads) h0) t0
  in
  let x = separator_entries d0 w.tail_heads t0 h0 in
  if all (Z.eqb (Obj.magic GRing.zero ZInstances.coq_Z_zmodType)) x
  then alphas p u y
  else tail_alphas p u' ((fun p -> p)
         (Coq_Pos.mul (separated_den d0 w.tail_heads) w.tail_den))
         ((fun p -> p)
         (Coq_Pos.mul w.tail_num
           (total_den d0 (tail_layer w.tail_heads) true))) y x

(** val tail_s : problem -> Bigint.t -> Bigint.t **)

let tail_s d0 bits =
  Coq_Pos.mul (denominator (precision_of bits)) d0.q_contexts

(** val tail_row :
    problem -> tail_data -> Bigint.t -> unit_bounds -> unit_bounds ->
    Bigint.t -> (Bigint.t * Bigint.t) list **)

let tail_row d0 w bits u u' t0 =
  flatten
    (map0 (fun h0 ->
      times_rows d0.d (tail_coefficients d0 w bits u u' t0 h0)
        (context_at d0 t0)) (iota Bigint.zero d0.h))

(** val tail_Z :
    problem -> tail_data -> Bigint.t -> (Bigint.t * Bigint.t) list list **)

let tail_Z d0 w bits =
  let u = plain_unit d0 w bits in
  let u' = tail_unit d0 w bits in
  map0 (fun t0 ->
    let r = tail_row d0 w bits u u' t0 in
    map0 (fun j -> nth (Bigint.zero, Bigint.zero) r j) w.tail_cols)
    w.tail_rows

(** val tail_ok_at : problem -> tail_data -> Bigint.t -> bool **)

let tail_ok_at d0 w bits =
  let one0 =
    Z.mul ((fun p -> p) w.tail_qi) ((fun p -> p)
      (Coq_Pos.mul ((fun p -> Bigint.shift_left p 1) Bigint.one)
        (tail_s d0 bits)))
  in
  all (fun x -> Z.ltb (fst x) (Z.mul one0 (snd x)))
    (zip
      (defects_of (size0 w.tail_rows) one0 (tail_Z d0 w bits) w.tail_scale
        w.tail_inverse) w.tail_scale)

(** val tail_shape : problem -> tail_data -> bool **)

let tail_shape d0 w =
  let k = size0 w.tail_rows in
  (&&) (separating_ok d0 w.tail_heads)
    ((&&) (all (fun t0 -> leq (Bigint.succ t0) d0.t) w.tail_rows)
      ((&&) (all (fun j -> leq (Bigint.succ j) (muln d0.h d0.d)) w.tail_cols)
        ((&&) (eq_op nat_eqType (Obj.magic size0 w.tail_cols) (Obj.magic k))
          ((&&) (sizes_are k k w.tail_inverse)
            ((&&)
              (eq_op nat_eqType (Obj.magic size0 w.tail_scale) (Obj.magic k))
              (all (fun x -> Z.ltb Bigint.zero x) w.tail_scale))))))

(** val shown_at : problem -> tail_data -> Bigint.t -> Bigint.t -> bool **)

let rec shown_at d0 w tries bits =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> false)
    (fun tries' ->
    if tail_ok_at d0 w bits
    then true
    else shown_at d0 w tries'
           (muln (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
             Bigint.zero)))) bits))
    tries

(** val tail_ok : problem -> tail_data -> bool **)

let tail_ok d0 w =
  if tail_shape d0 w
  then shown_at d0 w w.tail_tries (Bigint.succ (Bigint.succ (Bigint.succ
         (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
         (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
         (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
         (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
         (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
         (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
         Bigint.zero))))))))))))))))))))))))))))))))
  else false

type coefficient_kind =
| Softmax
| Sinks of Bigint.t * Bigint.t list * Bigint.t list
| Sigmoid of Bigint.t list

(** val copies_of : coefficient_kind -> Bigint.t -> Bigint.t **)

let copies_of k t0 =
  match k with
  | Softmax -> Bigint.succ Bigint.zero
  | Sinks (_, _, copies) ->
    maxn (Bigint.succ Bigint.zero) (nth (Bigint.succ Bigint.zero) copies t0)
  | Sigmoid copies ->
    maxn (Bigint.succ Bigint.zero) (nth (Bigint.succ Bigint.zero) copies t0)

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

(** val cycled : Bigint.t -> 'a1 list -> 'a1 list **)

let cycled n0 c =
  flatten (nseq (divn n0 (size0 c)) c)

(** val cycled_keys : Bigint.t -> layer -> layer **)

let cycled_keys n0 l = match l with
| Projected p ->
  let { projected_width = w; q_projected_queries = qq; projected_queries = q;
    q_projected_keys = qk; projected_keys = k } = p
  in
  Projected { projected_width = w; q_projected_queries = qq;
  projected_queries = q; q_projected_keys = qk; projected_keys =
  (map0 (fun heads -> map0 (fun keys -> cycled n0 keys) heads) k) }
| _ -> l

(** val with_lists :
    problem -> Bigint.t -> (Bigint.t -> Bigint.t list list) -> problem **)

let with_lists d0 n0 lists =
  { t = d0.t; h = d0.h; n = n0; d = d0.d; d_h = d0.d_h; d_v = d0.d_v; d_out =
    d0.d_out; base_two = d0.base_two; logit_scale = d0.logit_scale;
    q_contexts = d0.q_contexts; context_rows = (fun t0 ->
    cycled n0 (lists t0)); q_queries = d0.q_queries; queries = d0.queries;
    given = (Option.map (cycled_keys n0) d0.given); q_labels = d0.q_labels;
    labels = d0.labels; around = d0.around }

(** val kind_of_lists :
    Bigint.t -> Bigint.t -> (Bigint.t -> Bigint.t list list) ->
    coefficient_kind -> coefficient_kind **)

let kind_of_lists t0 n0 lists k =
  let copies =
    map0 (fun t1 -> divn n0 (size0 (lists t1))) (iota Bigint.zero t0)
  in
  (match k with
   | Softmax -> Softmax
   | Sinks (q, s, _) -> Sinks (q, s, copies)
   | Sigmoid _ -> Sigmoid copies)

(** val output_row :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> reader ->
    (Bigint.t * Bigint.t) list -> (Bigint.word * Bigint.word) list option ->
    Bigint.t -> Bigint.t list option **)

let output_row d0 l a p g o r cols ws t0 =
  match blocks_mod d0 l a p g o r t0 with
  | Some b -> Some (entries_at cols ws (rcons b (nth [] d0.labels t0)))
  | None -> None

(** val output_rows :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
    (Bigint.t * Bigint.t) list -> Bigint.t list -> Bigint.t list list option **)

let output_rows d0 l a p g o cols rows =
  all_some
    (output_row d0 l a p g o (reader_of d0 l a p g o d0.h) cols
      (column_words cols)) rows

(** val column_ok : problem -> (Bigint.t * Bigint.t) -> bool **)

let column_ok d0 c =
  if leq (Bigint.succ (fst c)) d0.h
  then leq (Bigint.succ (snd c)) d0.d
  else (&&) (eq_op nat_eqType (fst (Obj.magic c)) (Obj.magic d0.h))
         (leq (Bigint.succ (snd c)) d0.d_out)

(** val rows_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    list -> (Bigint.t * Bigint.t) list -> bool **)

let rows_ok d0 l a p g o rows cols =
  (&&) (wf_problem d0)
    ((&&) (wf_layer d0 l)
      ((&&) (Z.ltb ((fun p -> p) Bigint.one) p)
        ((&&) (order_ok p g o)
          ((&&) (residue_ok d0 l a p g)
            ((&&) (all (fun t0 -> leq (Bigint.succ t0) d0.t) rows)
              (all (column_ok d0) cols))))))

(** val minor_labels_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    list -> (Bigint.t * Bigint.t) list -> bool **)

let minor_labels_ok d0 l a p g o rows cols =
  (&&) (rows_ok d0 l a p g o rows cols)
    (match output_rows d0 l a p g o cols rows with
     | Some m -> free_mod p (size0 cols) m
     | None -> false)

(** val differ_mod : Bigint.t -> Bigint.t list -> Bigint.t list -> bool **)

let rec differ_mod p r s =
  match r with
  | [] -> false
  | x :: r' ->
    (match s with
     | [] -> false
     | y :: s' ->
       if Z.eqb (Z.modulo (Z.sub x y) p) Bigint.zero
       then differ_mod p r' s'
       else true)

(** val all_differ : Bigint.t -> Bigint.t list list -> bool **)

let rec all_differ p = function
| [] -> true
| r :: m' -> (&&) (all (differ_mod p r) m') (all_differ p m')

(** val different_rows_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    list -> (Bigint.t * Bigint.t) list -> bool **)

let different_rows_ok d0 l a p g o rows cols =
  (&&) (rows_ok d0 l a p g o rows cols)
    ((&&) (all (fun c -> leq (Bigint.succ (fst c)) d0.h) cols)
      (match output_rows d0 l a p g o cols rows with
       | Some m -> all_differ p m
       | None -> false))

(** val edge : Bigint.t -> (Bigint.t * Bigint.t) -> Bigint.t list **)

let edge k x =
  map0 (fun i ->
    Z.sub
      (if eq_op nat_eqType (Obj.magic i) (fst (Obj.magic x))
       then (fun p -> p) Bigint.one
       else Bigint.zero)
      (if eq_op nat_eqType (Obj.magic i) (snd (Obj.magic x))
       then (fun p -> p) Bigint.one
       else Bigint.zero)) (iota Bigint.zero k)

(** val equal_rows_ok :
    problem -> layer -> bool -> Bigint.t -> (Bigint.t * Bigint.t) list -> bool **)

let equal_rows_ok d0 l a p pairs =
  (&&) (wf_problem d0)
    ((&&) (wf_layer d0 l)
      ((&&)
        (all (fun x ->
          (&&) (leq (Bigint.succ (fst x)) d0.t)
            (leq (Bigint.succ (snd x)) d0.t)) pairs)
        ((&&) (independent_mod p d0.t (map0 (fun x -> edge d0.t x) pairs))
          (all (fun x ->
            left_zero_Z d0 l a
              (map0 (fun c ->
                if Z.eqb c Bigint.zero then [] else (Bigint.zero, c) :: [])
                (edge d0.t x))) pairs))))

type power_quotient = Bigint.t list * Bigint.t list list

type head_blocks = { number_of : Bigint.t; block_width : Bigint.t;
                     quotients_of : Bigint.t;
                     quotients : (Bigint.t -> Bigint.t -> power_quotient list);
                     beside_width : Bigint.t;
                     beside_row : (Bigint.t -> Bigint.t list) }

(** val quotient_at : power_quotient list -> Bigint.t -> power_quotient **)

let quotient_at s k =
  nth ([], []) s k

(** val add_row : Bigint.t list -> Bigint.t list -> Bigint.t list **)

let rec add_row r s =
  match r with
  | [] -> s
  | x :: r' ->
    (match s with
     | [] -> r
     | y :: s' -> (Z.add x y) :: (add_row r' s'))

(** val block_mod :
    head_blocks -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    -> Bigint.t list option **)

let block_mod b p g o t0 i =
  Option.map (foldr add_row [])
    (all_some (fun x ->
      block_of p g o (map0 (fun r -> map0 (fun y -> Z.modulo y p) r) (snd x))
        (fst x)) (b.quotients i t0))

(** val blocks_row_mod :
    head_blocks -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    -> Bigint.t list list option **)

let blocks_row_mod b p g o m t0 =
  Option.map (fun r -> rcons r (b.beside_row t0))
    (all_some (block_mod b p g o t0) (iota Bigint.zero m))

(** val block_column_ok : head_blocks -> (Bigint.t * Bigint.t) -> bool **)

let block_column_ok b c =
  if leq (Bigint.succ (fst c)) b.number_of
  then leq (Bigint.succ (snd c)) b.block_width
  else (&&) (eq_op nat_eqType (fst (Obj.magic c)) (Obj.magic b.number_of))
         (leq (Bigint.succ (snd c)) b.beside_width)

(** val minor_blocks_ok :
    problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t ->
    Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t) list -> bool **)

let minor_blocks_ok d0 l a b p g o rows cols =
  (&&) (Z.ltb ((fun p -> p) Bigint.one) p)
    ((&&) (order_ok p g o)
      ((&&) (residue_ok d0 l a p g)
        ((&&) (all (fun t0 -> leq (Bigint.succ t0) d0.t) rows)
          ((&&) (all (block_column_ok b) cols)
            (let ws = column_words cols in
             let m = minn (heads_in cols) b.number_of in
             free_rows p (size0 cols) (fun t0 ->
               Option.map (entries_at cols ws) (blocks_row_mod b p g o m t0))
               rows)))))

(** val repeated :
    head_blocks -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
    (Bigint.t * Bigint.t) list list **)

let repeated b m y =
  map0 (fun k -> nth [] y (divn k b.quotients_of))
    (iota Bigint.zero (muln m b.quotients_of))

(** val left_blocks :
    problem -> layer -> bool -> head_blocks -> (Bigint.t * Bigint.t) list
    list -> bool **)

let left_blocks d0 l a b y =
  (&&)
    (all (fun i ->
      let s =
        flatten (map0 (fun t0 -> b.quotients i t0) (iota Bigint.zero d0.t))
      in
      left_identity Z.add Z.eqb Z.ltb Bigint.zero (collect_powers d0 l a)
        b.block_width (muln d0.t b.quotients_of) (repeated b d0.t y)
        (fun k -> least_0 (fst (quotient_at s k))) (fun k ->
        snd (quotient_at s k))) (iota Bigint.zero b.number_of))
    (left_zero_rows d0 l a b.beside_width b.beside_row y)

(** val left_blocks_ok :
    problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t ->
    Bigint.t -> (Bigint.t * Bigint.t) list list list -> bool **)

let left_blocks_ok d0 l a b p g o v =
  (&&) (independent_sums d0 l a p g o d0.t v) (all (left_blocks d0 l a b) v)

(** val right_blocks :
    problem -> layer -> bool -> head_blocks -> (Bigint.t * Bigint.t) list
    list list -> bool **)

let right_blocks d0 l a b x =
  all (fun t0 ->
    let s =
      flatten
        (map0 (fun i -> b.quotients i t0) (iota Bigint.zero b.number_of))
    in
    right_identity Z.add Z.eqb Z.ltb Bigint.zero (collect_powers d0 l a)
      b.block_width (muln b.number_of b.quotients_of)
      (map0 (fun k -> nth [] x (divn k b.quotients_of))
        (iota Bigint.zero (muln b.number_of b.quotients_of))) (fun k ->
      least_0 (fst (quotient_at s k))) (fun k -> snd (quotient_at s k)))
    (iota Bigint.zero d0.t)

(** val right_blocks_ok :
    problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t ->
    Bigint.t -> (Bigint.t * Bigint.t) list list list list -> bool **)

let right_blocks_ok d0 l a b p g o v =
  (&&) (eq_op nat_eqType (Obj.magic b.beside_width) (Obj.magic Bigint.zero))
    ((&&)
      (all (fun v0 ->
        (&&) (eq_op nat_eqType (Obj.magic size0 v0) (Obj.magic b.number_of))
          (all (fun x ->
            eq_op nat_eqType (Obj.magic size0 x) (Obj.magic b.block_width))
            v0)) v)
      ((&&)
        (independent_sums d0 l a p g o (muln b.number_of b.block_width)
          (map0 flatten v)) (all (right_blocks d0 l a b) v)))

(** val softmax_blocks :
    problem -> layer -> bool -> Bigint.t list -> Bigint.t -> (Bigint.t ->
    Bigint.t -> Bigint.t list list) -> Bigint.t -> (Bigint.t -> Bigint.t
    list) -> head_blocks **)

let softmax_blocks d0 l a hs w tokens0 v beside =
  let gs = map0 (fun h0 -> prepare l h0) hs in
  { number_of = (size0 hs); block_width = w; quotients_of = (Bigint.succ
  Bigint.zero); quotients = (fun i t0 ->
  ((exponents d0 l a (nth (prepare l Bigint.zero) gs i) t0),
  (tokens0 i t0)) :: []); beside_width = v; beside_row = beside }

(** val value_columns :
    problem -> whole -> Bigint.t -> (Bigint.t list * Bigint.t) list **)

let value_columns d0 w h0 =
  map0 (fun k -> ((col k (nth [] w.value_weights h0)),
    (Z.mul ((fun p -> p) (Coq_Pos.mul d0.q_contexts w.q_value))
      (ent w.value_bias h0 k)))) (iota Bigint.zero w.value_width)

(** val values_of :
    whole -> (Bigint.t list * Bigint.t) list -> Bigint.t list list ->
    Bigint.t list list **)

let values_of w cs c =
  map0 (fun x ->
    map0 (fun c0 ->
      Z.add (Z.mul (dot x (fst c0)) ((fun p -> p) w.q_value_bias)) (snd c0))
      cs) c

(** val beside_size : problem -> bool -> bool -> Bigint.t **)

let beside_size d0 ones labelled =
  addn (if ones then Bigint.succ Bigint.zero else Bigint.zero)
    (if labelled then d0.d_out else Bigint.zero)

(** val beside_of : problem -> bool -> bool -> Bigint.t -> Bigint.t list **)

let beside_of d0 ones labelled t0 =
  cat (if ones then ((fun p -> p) Bigint.one) :: [] else [])
    (if labelled then nth [] d0.labels t0 else [])

(** val value_blocks :
    problem -> layer -> bool -> whole -> Bigint.t list -> bool -> bool ->
    head_blocks **)

let value_blocks d0 l a w hs ones labelled =
  let cs = map0 (fun h0 -> value_columns d0 w h0) hs in
  softmax_blocks d0 l a hs w.value_width (fun i t0 ->
    values_of w (nth [] cs i) (context_at d0 t0))
    (beside_size d0 ones labelled) (beside_of d0 ones labelled)

(** val blocks_of :
    problem -> arguments -> layer -> bool -> blocks -> head_blocks option **)

let blocks_of d0 c l a b =
  let heads = iota Bigint.zero d0.h in
  let only =
    match c.only_head with
    | Some h0 -> if leq (Bigint.succ h0) d0.h then Some h0 else None
    | None -> None
  in
  (match b with
   | WithOnes l0 ->
     Some
       (softmax_blocks d0 l a heads d0.d (fun _ t0 -> context_at d0 t0)
         (beside_size d0 true l0) (beside_of d0 true l0))
   | OneHead outputs ->
     if outputs
     then (match only with
           | Some h0 ->
             (match d0.around with
              | Some w -> Some (value_blocks d0 l a w (h0 :: []) false false)
              | None -> None)
           | None -> None)
     else (match only with
           | Some h0 ->
             Some
               (softmax_blocks d0 l a (h0 :: []) d0.d (fun _ t0 ->
                 context_at d0 t0) Bigint.zero (fun _ -> []))
           | None -> None)
   | Outputs (o, l0) ->
     (match d0.around with
      | Some w -> Some (value_blocks d0 l a w heads o l0)
      | None -> None))

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

(** val block_conditions : block_theorem -> quantity comparison0 list **)

let block_conditions x =
  let of_head = AtLeast ((Qty OnlyHead), (Const Bigint.zero)) in
  let valued = AtLeast ((Qty ValueBiases), (Const Bigint.zero)) in
  let no_biases = Equal ((Qty ValueBiases), (Const Bigint.zero)) in
  (AtLeast ((Qty (InShape None)), (Const
  Bigint.zero))) :: (match x with
                     | OnesWithin ->
                       (AtLeast ((Qty (RankOf Tokens)), (Qty (RankOf
                         AffineTokens)))) :: []
                     | LabelsBesideOnes ->
                       (AtLeast ((Qty DistinctLabelled), (Const ((fun p -> p)
                         Bigint.one)))) :: []
                     | FittedLabelsBias ->
                       (AtMost ((Qty (RankBlocks (WithOnes true))), (Qty
                         (RankBlocks (WithOnes false))))) :: ((AtMost ((Qty
                         OutputDimension), (Qty ValueDimension))) :: [])
                     | MissedLabelsBias ->
                       (AtLeast ((Qty (RankBlocks (WithOnes true))), (Add
                         ((Qty (RankBlocks (WithOnes false))), (Const
                         ((fun p -> p) Bigint.one)))))) :: []
                     | LabelsAreZero ->
                       (Equal ((Qty (LabelEntries false)), (Const
                         Bigint.zero))) :: ((AtMost ((Qty OutputDimension),
                         (Qty ValueDimension))) :: [])
                     | LabelsAreEqual ->
                       (Equal ((Qty (LabelEntries true)), (Const
                         Bigint.zero))) :: ((AtMost ((Qty OutputDimension),
                         (Qty ValueDimension))) :: [])
                     | OutputsOfMeans -> no_biases :: []
                     | OutputsWithBiases -> valued :: []
                     | EqualOutputRows -> valued :: []
                     | OutputsAndLabels -> no_biases :: []
                     | OutputsAndOnes -> valued :: []
                     | OutputsOnesLabels -> valued :: []
                     | OutputsOneColumn -> valued :: []
                     | OutputsZeroLabels ->
                       (Equal ((Qty (LabelEntries false)), (Const
                         Bigint.zero))) :: []
                     | OutputsEqualLabels ->
                       (Equal ((Qty (LabelEntries true)), (Const
                         Bigint.zero))) :: []
                     | HeadHull -> of_head :: []
                     | HeadRows -> of_head :: []
                     | HeadOutputsOfMeans -> of_head :: (no_biases :: [])
                     | HeadOutputRows -> of_head :: (valued :: [])
                     | _ -> [])

(** val block_bounded : block_theorem -> (quantity * bool) * quantity expr **)

let block_bounded = function
| OnesBeside -> (((RankBlocks (WithOnes false)), true), (Qty (RankZ None)))
| OneColumn ->
  (((RankBlocks (WithOnes false)), false), (Add ((Qty (RankZ None)), (Const
    ((fun p -> p) Bigint.one)))))
| AffineHullOnes ->
  (((RankBlocks (WithOnes false)), false),
    (paper_bound (Qty (RankOf AffineTokens))))
| OnesWithin -> (((RankBlocks (WithOnes false)), false), (Qty (RankZ None)))
| EqualRowsOnes ->
  (((RankBlocks (WithOnes false)), false), (Qty DistinctExamples))
| EqualLabelledRowsOnes ->
  (((RankBlocks (WithOnes true)), false), (Qty DistinctLabelled))
| LabelsBesideOnes ->
  (((RankBlocks (WithOnes true)), true), (Qty (RankBlocks (WithOnes false))))
| MissedLabelsBias -> (((Truth MemorizesBias), false), (Const Bigint.zero))
| LabelsAreZero ->
  (((Truth MemorizesGiven), true), (Const ((fun p -> p) Bigint.one)))
| OutputsOfMeans ->
  (((RankBlocks (Outputs (false, false))), false), (Qty (RankZ None)))
| OutputsWithBiases ->
  (((RankBlocks (Outputs (false, false))), false), (Qty (RankBlocks (WithOnes
    false))))
| EqualOutputRows ->
  (((RankBlocks (Outputs (false, false))), false), (Qty DistinctExamples))
| OutputsAndLabels ->
  (((RankBlocks (Outputs (false, true))), false), (Qty RankWithLabels))
| OutputsAndOnes ->
  (((RankBlocks (Outputs (true, false))), false), (Qty (RankBlocks (WithOnes
    false))))
| OutputsOnesLabels ->
  (((RankBlocks (Outputs (true, true))), false), (Qty (RankBlocks (WithOnes
    true))))
| OutputsOneColumn ->
  (((RankBlocks (Outputs (true, false))), false), (Add ((Qty (RankBlocks
    (Outputs (false, false)))), (Const ((fun p -> p) Bigint.one)))))
| OutputsZeroLabels ->
  (((RankBlocks (Outputs (false, true))), false), (Qty (RankBlocks (Outputs
    (false, false)))))
| OutputsEqualLabels ->
  (((RankBlocks (Outputs (true, true))), false), (Qty (RankBlocks (Outputs
    (true, false)))))
| HeadHull -> (((RankBlocks (OneHead false)), false), (Qty (RankOf Tokens)))
| HeadRows -> (((RankBlocks (OneHead false)), false), (Qty DistinctExamples))
| HeadOutputsOfMeans ->
  (((RankBlocks (OneHead true)), false), (Qty (RankBlocks (OneHead false))))
| HeadOutputRows ->
  (((RankBlocks (OneHead true)), false), (Qty DistinctExamples))
| SingularValues -> ((LargeSingularValues, false), (Qty (RankZ None)))
| _ -> (((Truth MemorizesBias), true), (Const ((fun p -> p) Bigint.one)))

(** val block_readable : problem -> block_theorem -> bool **)

let block_readable d0 = function
| OnesWithin -> leq (Bigint.succ Bigint.zero) d0.h
| EqualRowsOnes ->
  (match d0.given with
   | Some l -> negb (projects l)
   | None -> true)
| EqualLabelledRowsOnes ->
  (match d0.given with
   | Some l -> negb (projects l)
   | None -> true)
| FittedLabelsBias -> isSome d0.given
| MissedLabelsBias -> isSome d0.given
| LabelsAreZero -> isSome d0.given
| LabelsAreEqual -> isSome d0.given
| EqualOutputRows ->
  (match d0.given with
   | Some l -> negb (projects l)
   | None -> true)
| HeadRows -> (match d0.given with
               | Some l -> negb (projects l)
               | None -> true)
| HeadOutputRows ->
  (match d0.given with
   | Some l -> negb (projects l)
   | None -> true)
| SingularValues -> isSome d0.given
| _ -> true

(** val with_query_bias : problem -> problem **)

let with_query_bias d0 =
  { t = d0.t; h = d0.h; n = d0.n; d = (addn d0.d (Bigint.succ Bigint.zero));
    d_h = d0.d_h; d_v = d0.d_v; d_out = d0.d_out; base_two = d0.base_two;
    logit_scale = d0.logit_scale; q_contexts = d0.q_contexts; context_rows =
    (fun t0 -> map0 (fun x -> rcons x Bigint.zero) (d0.context_rows t0));
    q_queries = d0.q_queries; queries =
    (map0 (fun t0 ->
      rcons (mkseq (nth Bigint.zero (nth [] d0.queries t0)) d0.d)
        ((fun p -> p) d0.q_queries)) (iota Bigint.zero d0.t)); given = None;
    q_labels = d0.q_labels; labels = []; around = None }

(** val at_index : Bigint.t list -> Bigint.t -> Bigint.t **)

let at_index r j =
  nth Bigint.zero r j

(** val zero_query : Bigint.t -> Bigint.t list -> bool **)

let zero_query d0 r =
  all (fun j -> Z.eqb (at_index r j) Bigint.zero) (iota Bigint.zero d0)

(** val crossed :
    Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list -> bool **)

let rec crossed x y r s =
  match r with
  | [] -> false
  | a :: r' ->
    (match s with
     | [] -> false
     | b :: s' ->
       if Z.eqb (Z.mul x b) (Z.mul a y) then crossed x y r' s' else true)

(** val first_entry : Bigint.t list -> Bigint.t **)

let first_entry r =
  find (fun x -> negb (Z.eqb x Bigint.zero)) r

(** val crossing_at : Bigint.t -> Bigint.t list -> Bigint.t list -> bool **)

let crossing_at i r s =
  crossed (at_index r i) (at_index s i) r s

(** val varied_rows : Bigint.t -> Bigint.t list list -> bool **)

let varied_rows d0 c =
  let r = head [] c in
  has (fun s ->
    has (fun j -> negb (Z.eqb (at_index s j) (at_index r j)))
      (iota Bigint.zero d0)) c

(** val apart_all : (bool * Bigint.t list) list -> bool **)

let rec apart_all = function
| [] -> true
| p :: l' ->
  let (b, r) = p in
  if b
  then let i = first_entry r in
       if all (fun a -> if fst a then crossing_at i r (snd a) else true) l'
       then apart_all l'
       else false
  else apart_all l'

(** val query_at : problem -> Bigint.t -> Bigint.t list **)

let query_at d0 t0 =
  nth [] d0.queries t0

(** val token_entries : problem -> Bigint.t -> Bigint.t -> Bigint.t list **)

let token_entries d0 t0 c =
  map0 (fun j -> ent (context_at d0 t0) c j) (iota Bigint.zero d0.d)

(** val sum_row : problem -> Bigint.t -> Bigint.t list **)

let sum_row d0 t0 =
  let c = context_at d0 t0 in
  map0 (fun j ->
    foldr (fun i s -> Z.add (ent c i j) s) Bigint.zero (iota Bigint.zero d0.n))
    (iota Bigint.zero d0.d)

(** val pointed_row :
    problem -> Bigint.t -> Bigint.t list -> Bigint.t list **)

let pointed_row d0 t0 tokens0 =
  flatten
    (map0 (fun h0 ->
      if zero_query d0.d (query_at d0 t0)
      then sum_row d0 t0
      else token_entries d0 t0 (nth Bigint.zero tokens0 h0))
      (iota Bigint.zero d0.h))

(** val token_rows :
    problem -> Bigint.t list -> Bigint.t list list -> Bigint.t list list **)

let token_rows d0 rows tokens0 =
  map0 (fun k -> pointed_row d0 (nth Bigint.zero rows k) (nth [] tokens0 k))
    (iota Bigint.zero (size0 rows))

(** val query_if_moving : problem -> Bigint.t -> bool * Bigint.t list **)

let query_if_moving d0 t0 =
  (((&&) (negb (zero_query d0.d (query_at d0 t0)))
     (varied_rows d0.d (context_at d0 t0))), (query_at d0 t0))

(** val coefficients_ok :
    problem -> Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list
    list -> bool **)

let coefficients_ok d0 p rows cols tokens0 =
  (&&) (leq (Bigint.succ Bigint.zero) d0.d_h)
    ((&&) (all (fun t0 -> leq (Bigint.succ t0) d0.t) rows)
      ((&&) (all (all (fun c -> leq (Bigint.succ c) d0.n)) tokens0)
        ((&&) (apart_all (map0 (fun t0 -> query_if_moving d0 t0) rows))
          (minor_rows_ok p (size0 rows) (muln d0.h d0.d)
            (token_rows d0 rows tokens0) (iota Bigint.zero (size0 rows)) cols))))

(** val sums_of_rows :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list list ->
    (Bigint.t * Bigint.t) list list **)

let sums_of_rows k w l =
  foldr (fun m n0 ->
    map0 (fun r ->
      map0 (fun x -> plus (fst x) (snd x)) (zip (fst r) (snd r))) (zip m n0))
    (nseq k (nseq w (Bigint.zero, Bigint.zero))) l

(** val nothing : Bigint.t -> Bigint.t list -> bool **)

let nothing q r =
  (&&) (Coq_Pos.eqb q Bigint.one) (all (fun x -> Z.eqb x Bigint.zero) r)

(** val add_constant :
    Bigint.t -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
    Bigint.t list -> (Bigint.t * Bigint.t) list list **)

let add_constant a q k v r =
  if nothing q r
  then v
  else let b = exact_row k r in map0 (fun x -> add_rows a q x b) v

(** val mean_den : problem -> precision -> Bigint.t **)

let mean_den d0 p =
  Coq_Pos.mul (denominator p) d0.q_contexts

(** val value_den : problem -> whole -> precision -> Bigint.t **)

let value_den d0 w p =
  Coq_Pos.mul (Coq_Pos.mul (mean_den d0 p) w.q_value) w.q_value_bias

(** val head_den : problem -> whole -> precision -> Bigint.t **)

let head_den d0 w p =
  Coq_Pos.mul (value_den d0 w p) w.q_output

(** val out_den : problem -> whole -> precision -> Bigint.t **)

let out_den d0 w p =
  Coq_Pos.mul (Coq_Pos.mul (head_den d0 w p) w.q_output_shift) w.q_skip

(** val score_den : problem -> whole -> precision -> Bigint.t **)

let score_den d0 w p =
  Coq_Pos.mul (Coq_Pos.mul (out_den d0 w p) w.q_readout) w.q_readout_shift

(** val score_parts :
    problem -> whole -> precision -> (Bigint.t -> (Bigint.t * Bigint.t) list
    list) -> Bigint.t -> (Bigint.t * Bigint.t) list list **)

let score_parts d0 w p m h0 =
  let v = all_times w.value_width (m h0) (nth [] w.value_weights h0) in
  let v0 =
    add_constant (Coq_Pos.mul (mean_den d0 p) w.q_value) w.q_value_bias
      w.value_width v (nth [] w.value_bias h0)
  in
  all_times w.output_width v0 (nth [] w.output_weights h0)

(** val score_rows :
    problem -> whole -> precision -> (Bigint.t -> (Bigint.t * Bigint.t) list
    list) -> (Bigint.t * Bigint.t) list list **)

let score_rows d0 w p m =
  let u =
    sums_of_rows d0.t w.output_width
      (map0 (fun h0 -> score_parts d0 w p m h0) (iota Bigint.zero d0.h))
  in
  let u0 =
    add_constant (head_den d0 w p) w.q_output_shift w.output_width u
      w.output_shift
  in
  let u1 =
    if (&&) (all (nothing w.q_skip) w.skip_rows)
         (Coq_Pos.eqb w.q_skip Bigint.one)
    then u0
    else map0 (fun x ->
           add_rows (Coq_Pos.mul (head_den d0 w p) w.q_output_shift) w.q_skip
             (fst x) (exact_row w.output_width (nth [] w.skip_rows (snd x))))
           (zip u0 (iota Bigint.zero d0.t))
  in
  add_constant (Coq_Pos.mul (out_den d0 w p) w.q_readout) w.q_readout_shift
    d0.d_out (all_times d0.d_out u1 w.readout_weights) w.readout_shift

(** val class_scores :
    problem -> (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list **)

let class_scores d0 s =
  if eq_op nat_eqType (Obj.magic d0.d_out)
       (Obj.magic (Bigint.succ Bigint.zero))
  then (Bigint.zero,
         Bigint.zero) :: ((nth (Bigint.zero, Bigint.zero) s Bigint.zero) :: [])
  else s

(** val classes_of : problem -> Bigint.t **)

let classes_of d0 =
  if eq_op nat_eqType (Obj.magic d0.d_out)
       (Obj.magic (Bigint.succ Bigint.zero))
  then Bigint.succ (Bigint.succ Bigint.zero)
  else d0.d_out

(** val distances :
    problem -> arguments -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t)
    list -> (Bigint.t * Bigint.t) list **)

let distances d0 c den t0 s =
  map0 (fun o ->
    ((Z.mul ((fun p -> p) c.epsilon_den)
       (Z.sub
         (Z.mul ((fun p -> p) d0.q_labels)
           (fst (nth (Bigint.zero, Bigint.zero) s o)))
         (Z.mul ((fun p -> p) den) (ent d0.labels t0 o)))),
    (Z.mul ((fun p -> p) c.epsilon_den)
      (Z.sub
        (Z.mul ((fun p -> p) d0.q_labels)
          (snd (nth (Bigint.zero, Bigint.zero) s o)))
        (Z.mul ((fun p -> p) den) (ent d0.labels t0 o))))))
    (iota Bigint.zero d0.d_out)

(** val decides :
    problem -> arguments -> Bigint.t -> bool -> Bigint.t ->
    (Bigint.t * Bigint.t) list -> bool **)

let decides d0 c den above t0 s =
  match c.classes with
  | Some k ->
    let own = nth Bigint.zero k t0 in
    let v = class_scores d0 s in
    let mine = nth (Bigint.zero, Bigint.zero) v own in
    if above
    then all (fun o ->
           (||) (eq_op nat_eqType (Obj.magic o) (Obj.magic own))
             (Z.ltb (snd (nth (Bigint.zero, Bigint.zero) v o)) (fst mine)))
           (iota Bigint.zero (classes_of d0))
    else (&&) (leq (Bigint.succ own) (classes_of d0))
           (has (fun o ->
             (&&) (negb (eq_op nat_eqType (Obj.magic o) (Obj.magic own)))
               (Z.leb (snd mine) (fst (nth (Bigint.zero, Bigint.zero) v o))))
             (iota Bigint.zero (classes_of d0)))
  | None ->
    let most0 =
      Z.mul ((fun p -> p) c.epsilon_num)
        (Z.mul ((fun p -> p) d0.q_labels) ((fun p -> p) den))
    in
    if above
    then all (fun x ->
           (&&) (Z.leb (snd x) most0) (Z.leb (Z.opp most0) (fst x)))
           (distances d0 c den t0 s)
    else has (fun x ->
           (||) (Z.ltb most0 (fst x)) (Z.ltb (snd x) (Z.opp most0)))
           (distances d0 c den t0 s)

(** val scores_from :
    problem -> (Bigint.t * Bigint.t) list list list -> Bigint.t ->
    (Bigint.t * Bigint.t) list list **)

let scores_from d0 a bits =
  match d0.around with
  | Some w -> score_rows d0 w (precision_of bits) (means_of d0 a)
  | None -> []

(** val examples_found :
    problem -> arguments -> whole -> (Bigint.t * Bigint.t) list list -> bool
    -> Bigint.t -> Bigint.t **)

let examples_found d0 c w s above bits =
  let den = score_den d0 w (precision_of bits) in
  count (fun x -> decides d0 c den above (fst x) (snd x))
    (zip (iota Bigint.zero d0.t) s)

(** val classes_ok : problem -> arguments -> bool **)

let classes_ok d0 c =
  match c.classes with
  | Some k ->
    all (fun t0 -> leq (Bigint.succ (nth Bigint.zero k t0)) (classes_of d0))
      (iota Bigint.zero d0.t)
  | None -> true

(** val count_from :
    problem -> arguments -> (Bigint.t * Bigint.t) list list -> bool ->
    Bigint.t -> Bigint.t -> bool **)

let count_from d0 c s above k bits =
  match d0.around with
  | Some w ->
    (&&) (classes_ok d0 c) (leq k (examples_found d0 c w s above bits))
  | None -> false

(** val count_examples_ok :
    problem -> arguments -> (Bigint.t * Bigint.t) list list -> bool ->
    Bigint.t -> Bigint.t -> bool **)

let count_examples_ok d0 c s above k bits =
  (&&) (wf_source d0) (count_from d0 c s above k bits)

(** val add_iv :
    (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list **)

let add_iv v w =
  map0 (fun x -> plus (fst x) (snd x)) (zip v w)

(** val exact_entry :
    precision -> Bigint.t -> Bigint.t -> Bigint.t * Bigint.t **)

let exact_entry p =
  let k = (fun p -> p) (denominator p) in
  (fun q c -> ((Z.div (Z.mul k c) ((fun p -> p) q)),
  (ceil_div (Z.mul k c) ((fun p -> p) q))))

(** val iv_row :
    precision -> Bigint.t -> Bigint.t -> Bigint.t list ->
    (Bigint.t * Bigint.t) list **)

let iv_row p w q r =
  map0 (fun k -> exact_entry p q (nth Bigint.zero r k)) (iota Bigint.zero w)

(** val iv_mulmx :
    Bigint.t -> Bigint.t -> Bigint.t list list -> (Bigint.t * Bigint.t) list
    -> (Bigint.t * Bigint.t) list **)

let iv_mulmx w q m x =
  map0 (fun y -> lowered q y) (times_rows w x m)

(** val transposed : Bigint.t -> Bigint.t list list -> Bigint.t list list **)

let transposed w m =
  map0 (fun j -> col j m) (iota Bigint.zero w)

(** val iv_activate :
    precision -> digit list -> activation -> (Bigint.t * Bigint.t) ->
    Bigint.t * Bigint.t **)

let iv_activate p gs =
  let k = (fun p -> p) (denominator p) in
  (fun f x ->
  match f with
  | Relu -> ((Z.max Bigint.zero (fst x)), (Z.max Bigint.zero (snd x)))
  | Silu -> iv_times p x (iv_logistic p gs x)
  | Tanh ->
    let y =
      iv_logistic p gs
        ((Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
           (fst x)),
        (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
          (snd x)))
    in
    ((Z.sub
       (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
         (fst y)) k),
    (Z.sub
      (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
        (snd y)) k)))

(** val iv_tokens :
    (Bigint.t * Bigint.t) list list -> Bigint.t list -> (Bigint.t * Bigint.t)
    list list **)

let iv_tokens rows s =
  map0 (fun j -> nth [] rows j) s

(** val iv_head :
    layer_stack -> precision -> digit list -> (Bigint.t * Bigint.t) list list
    -> Bigint.t list -> (Bigint.t * Bigint.t) list -> earlier_head ->
    (Bigint.t * Bigint.t) list **)

let iv_head s p gs =
  let d0 = s.top_problem.d in
  (fun rows s0 x g ->
  let along =
    iv_mulmx d0 g.q_earlier_key (transposed g.earlier_width g.earlier_key)
      (iv_mulmx g.earlier_width g.q_earlier_query g.earlier_query x)
  in
  let tokens0 = iv_tokens rows s0 in
  iv_mulmx d0 g.q_earlier_value g.earlier_value
    (iv_combination p d0
      (iv_softmax p gs (map0 (fun y -> iv_dot p y along) tokens0)) tokens0))

(** val iv_square :
    layer_stack -> precision -> (Bigint.t * Bigint.t) list -> Bigint.t ->
    Bigint.t -> Bigint.t * Bigint.t **)

let iv_square s p =
  let d0 = s.top_problem.d in
  (fun x num den ->
  plus (lowered (Z.to_pos (Z.of_nat d0)) (iv_dot p x x))
    (exact_entry p den num))

(** val iv_kept :
    layer_stack -> bool -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list **)

let iv_kept s =
  let d0 = s.top_problem.d in
  (fun residual0 x ->
  if residual0 then x else nseq d0 (Bigint.zero, Bigint.zero))

(** val iv_after :
    layer_stack -> precision -> digit list -> earlier ->
    (Bigint.t * Bigint.t) list list -> Bigint.t -> (Bigint.t * Bigint.t) list **)

let iv_after s p gs =
  let d0 = s.top_problem.d in
  (fun b rows i ->
  let x = nth [] rows i in
  (match b with
   | EarlierAttention (residual0, lists, heads) ->
     foldr (fun g y -> add_iv (iv_head s p gs rows (nth [] lists i) x g) y)
       (iv_kept s residual0 x) heads
   | EarlierNetwork (residual0, f, m, q1, w1, qb1, b1, q2, w2, qb2, b2) ->
     let inner0 = add_iv (iv_mulmx m q1 w1 x) (iv_row p m qb1 b1) in
     add_iv
       (add_iv (iv_kept s residual0 x)
         (iv_mulmx d0 q2 w2 (map0 (fun y -> iv_activate p gs f y) inner0)))
       (iv_row p d0 qb2 b2)
   | EarlierNorm (q, gain, num, den) ->
     let inverse0 = iv_inverse p (iv_root p (iv_square s p x num den)) in
     map0 (fun y -> iv_times p (iv_times p (fst y) (snd y)) inverse0)
       (zip x (iv_row p d0 q gain))))

(** val iv_sized :
    layer_stack -> precision -> earlier -> (Bigint.t * Bigint.t) list -> bool **)

let iv_sized s p b x =
  match b with
  | EarlierNorm (_, _, num, den) ->
    let s0 = iv_square s p x num den in
    (&&) (Z.leb Bigint.zero (fst s0)) (Z.ltb Bigint.zero (fst (iv_root p s0)))
  | _ -> true

(** val iv_given :
    layer_stack -> precision -> (Bigint.t * Bigint.t) list list **)

let iv_given s p =
  let d0 = s.top_problem.d in
  map0 (fun r -> iv_row p d0 s.q_hidden r) s.hidden_rows

(** val iv_stage :
    layer_stack -> precision -> digit list -> (bool * (Bigint.t * Bigint.t)
    list list) -> earlier -> bool * (Bigint.t * Bigint.t) list list **)

let iv_stage s p gs st b =
  (((&&) (fst st) (all (iv_sized s p b) (snd st))),
    (map0 (fun i -> iv_after s p gs b (snd st) i)
      (iota Bigint.zero (size0 (snd st)))))

(** val iv_entering :
    layer_stack -> precision -> digit list -> bool * (Bigint.t * Bigint.t)
    list list **)

let iv_entering s p gs =
  foldl (iv_stage s p gs) (true, (iv_given s p)) s.befores

(** val iv_scale : layer_stack -> precision -> Bigint.t * Bigint.t **)

let iv_scale s p =
  match s.top_problem.logit_scale with
  | Rational (a, q) -> exact_entry p q a
  | InverseRoot m -> lowered m (square_root (denominator p) m)

(** val iv_along :
    layer_stack -> precision -> layer -> Bigint.t -> (Bigint.t * Bigint.t)
    list -> (Bigint.t * Bigint.t) list **)

let iv_along s p =
  let d0 = s.top_problem.d in
  (fun l h0 y ->
  match l with
  | Factors (m, qk, a, qq, b, _, _, qqb, bQ) ->
    iv_mulmx d0 qk (transposed m (nth [] a h0))
      (add_iv (iv_mulmx m qq (nth [] b h0) y) (iv_row p m qqb (nth [] bQ h0)))
  | Combined (q, w) -> iv_mulmx d0 q (transposed d0 (nth [] w h0)) y
  | Projected _ -> [])

(** val iv_alpha :
    layer_stack -> precision -> digit list -> layer -> (Bigint.t * Bigint.t)
    list list -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list **)

let iv_alpha s p gs l rows t0 h0 =
  let along =
    iv_along s p l h0 (nth [] rows (nth Bigint.zero s.example_rows t0))
  in
  iv_softmax p gs
    (map0 (fun y -> iv_times p (iv_scale s p) (iv_dot p y along))
      (iv_tokens rows (nth [] s.example_tokens t0)))

(** val iv_mean :
    layer_stack -> precision -> digit list -> layer -> (Bigint.t * Bigint.t)
    list list -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list **)

let iv_mean s p gs =
  let d0 = s.top_problem.d in
  (fun l rows t0 h0 ->
  iv_combination p d0 (iv_alpha s p gs l rows t0 h0)
    (iv_tokens rows (nth [] s.example_tokens t0)))

(** val rows_inside : Bigint.t -> Bigint.t list list -> bool **)

let rows_inside n0 lists =
  all (all (fun j -> leq (Bigint.succ j) n0)) lists

(** val stack_enclosable : layer_stack -> layer -> bool **)

let stack_enclosable s l =
  let n0 = size0 s.hidden_rows in
  (&&) (leq (Bigint.succ Bigint.zero) s.top_problem.d)
    ((&&) (negb s.top_problem.base_two)
      ((&&) (match l with
             | Projected _ -> false
             | _ -> true)
        ((&&)
          (all (fun b ->
            match b with
            | EarlierAttention (_, lists, _) -> rows_inside n0 lists
            | _ -> true) s.befores)
          ((&&)
            ((&&) (leq (Bigint.succ Bigint.zero) n0)
              (all (fun j -> leq (Bigint.succ j) n0) s.example_rows))
            (rows_inside n0 s.example_tokens)))))

(** val iv_stack_rows :
    layer_stack -> layer -> Bigint.t -> Bigint.t list ->
    (Bigint.t * Bigint.t) list list list option **)

let iv_stack_rows s l bits ts =
  let p = precision_of bits in
  let gs = digits_of p in
  let st = iv_entering s p gs in
  if fst st
  then Some
         (map0 (fun t0 ->
           map0 (fun h0 -> iv_mean s p gs l (snd st) t0 h0)
             (iota Bigint.zero s.top_problem.h)) ts)
  else None

(** val stack_minor_ok :
    layer_stack -> layer -> Bigint.t -> Bigint.t list ->
    (Bigint.t * Bigint.t) list -> Bigint.t -> Bigint.t list list -> bool **)

let stack_minor_ok s l bits rows cols q v =
  let k = size0 rows in
  (match iv_stack_rows s l bits rows with
   | Some z_rows ->
     let zs =
       map0 (fun r ->
         map0 (fun c ->
           nth (Bigint.zero, Bigint.zero) (nth [] r (fst c)) (snd c)) cols)
         z_rows
     in
     (&&)
       ((&&) (stack_enclosable s l)
         ((&&) (eq_op nat_eqType (Obj.magic size0 cols) (Obj.magic k))
           ((&&) (all (fun t0 -> leq (Bigint.succ t0) s.top_problem.t) rows)
             ((&&)
               (all (fun c ->
                 (&&) (leq (Bigint.succ (fst c)) s.top_problem.h)
                   (leq (Bigint.succ (snd c)) s.top_problem.d)) cols)
               (sizes_are k k v)))))
       (let one0 =
          Z.mul ((fun p -> p) q) ((fun p -> p)
            (Coq_Pos.mul ((fun p -> Bigint.shift_left p 1) Bigint.one)
              (denominator (precision_of bits))))
        in
        all (fun x -> Z.ltb x one0)
          (defects_of k one0 zs (nseq k ((fun p -> p) Bigint.one)) v))
   | None -> false)

(** val apart :
    (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list -> bool **)

let apart v w =
  has (fun x ->
    (||) (Z.ltb (snd (fst x)) (fst (snd x)))
      (Z.ltb (snd (snd x)) (fst (fst x)))) (zip v w)

(** val stack_apart_ok :
    layer_stack -> layer -> Bigint.t -> Bigint.t list -> bool **)

let stack_apart_ok s l bits ts =
  match iv_stack_rows s l bits ts with
  | Some z_rows ->
    (&&) (stack_enclosable s l)
      ((&&) (all (fun t0 -> leq (Bigint.succ t0) s.top_problem.t) ts)
        (pairwise (fun r s0 ->
          has (fun x -> apart (fst x) (snd x)) (zip r s0)) z_rows))
  | None -> false

(** val iv_coefficients :
    layer_stack -> layer -> Bigint.t -> (Bigint.t * Bigint.t) list list list
    option **)

let iv_coefficients s l bits =
  let p = precision_of bits in
  let gs = digits_of p in
  let st = iv_entering s p gs in
  if fst st
  then Some
         (map0 (fun t0 ->
           map0 (fun h0 -> iv_alpha s p gs l (snd st) t0 h0)
             (iota Bigint.zero s.top_problem.h))
           (iota Bigint.zero s.top_problem.t))
  else None

(** val stack_pairs_ok :
    layer_stack -> layer -> arguments -> bool -> Bigint.t -> Bigint.t -> bool **)

let stack_pairs_ok s l c above k bits =
  match iv_coefficients s l bits with
  | Some a ->
    (&&) (stack_enclosable s l)
      (leq k (pairs_found s.top_problem c a above bits))
  | None -> false

(** val iv_stack_Z :
    layer_stack -> layer -> Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t)
    list list option **)

let iv_stack_Z s l bits more =
  Option.map (fun z_rows ->
    map0 (fun r ->
      map0 (fun x ->
        rounded ((fun p -> p) (two_power bits))
          (denominator (precision_of more)) x) (flatten r)) z_rows)
    (iv_stack_rows s l more (iota Bigint.zero s.top_problem.t))

(** val stack_spectrum_ok :
    layer_stack -> layer -> arguments -> bool -> Bigint.t -> Bigint.t ->
    Bigint.t list list -> bool **)

let stack_spectrum_ok s l c above bits more x =
  match iv_stack_Z s l bits more with
  | Some zs ->
    (&&) (stack_enclosable s l)
      (dominant_ok s.top_problem.t (muln s.top_problem.h s.top_problem.d) zs
        c above bits x)
  | None -> false

(** val stack_scores_ok :
    layer_stack -> layer -> arguments -> bool -> Bigint.t -> Bigint.t -> bool **)

let stack_scores_ok s l c above k bits =
  let o = iv_stack_rows s l bits (iota Bigint.zero s.top_problem.t) in
  let o0 = s.top_problem.around in
  (match o with
   | Some z_rows ->
     (match o0 with
      | Some w ->
        (&&) (stack_enclosable s l)
          ((&&)
            (Z.eqb ((fun p -> p) s.top_problem.q_contexts) ((fun p -> p)
              Bigint.one))
            (count_from s.top_problem c
              (score_rows s.top_problem w (precision_of bits) (fun h0 ->
                map0 (fun r -> nth [] r h0) z_rows)) above k bits))
      | None -> false)
   | None -> false)

(** val shifted : Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list **)

let shifted d0 h0 x =
  cat (nseq (muln h0 (muln d0 d0)) Bigint.zero) x

(** val relation_ok :
    problem -> (Bigint.t list * Bigint.t) list list -> bool **)

let relation_ok d0 y =
  all (fun h0 ->
    left_identity plus_row equal_row less_row [] (fun x -> x) d0.d d0.t y
      (fun t0 ->
      map0 (fun r -> shifted d0.d h0 (outer r (nth [] d0.queries t0)))
        (context_at d0 t0)) (fun t0 -> context_at d0 t0))
    (iota Bigint.zero d0.h)

(** val first_power : (Bigint.t list * Bigint.t) list -> Bigint.t list **)

let first_power p =
  fst (nth ([], Bigint.zero) p Bigint.zero)

(** val first_coefficient : (Bigint.t list * Bigint.t) list -> Bigint.t **)

let first_coefficient p =
  foldr (fun s c ->
    if equal_row (fst s) (first_power p) then Z.add (snd s) c else c)
    Bigint.zero p

(** val own_index :
    problem -> (Bigint.t list * Bigint.t) list list list -> Bigint.t list ->
    Bigint.t -> bool **)

let own_index d0 y own k =
  let p = nth [] (nth [] y k) (nth Bigint.zero own k) in
  (&&) (leq (Bigint.succ (nth Bigint.zero own k)) d0.t)
    ((&&) (negb (Z.eqb (first_coefficient p) Bigint.zero))
      ((&&)
        (all (fun s ->
          eq_op nat_eqType (Obj.magic size0 (fst s))
            (Obj.magic muln d0.h (muln d0.d d0.d))) p)
        (all (fun l ->
          (||) (eq_op nat_eqType (Obj.magic l) (Obj.magic k))
            (nilp (nth [] (nth [] y l) (nth Bigint.zero own k))))
          (iota Bigint.zero (size0 y)))))

(** val zero_functions_ok :
    problem -> Bigint.t list -> (Bigint.t list * Bigint.t) list list list ->
    bool **)

let zero_functions_ok d0 own y =
  (&&) (all (relation_ok d0) y)
    (all (own_index d0 y own) (iota Bigint.zero (size0 y)))

(** val class_in :
    (Bigint.t list * Bigint.t list) list -> (Bigint.t list * Bigint.t list)
    -> Bigint.t **)

let class_in keys k =
  if equal_row (fst k) (snd k)
  then Bigint.zero
  else let j =
         find (fun x ->
           (||) (equal_row (fst x) (fst k)) (equal_row (snd x) (fst k))) keys
       in
       let number = Z.of_nat (Bigint.succ j) in
       if equal_row (fst (nth ([], []) keys j)) (fst k)
       then number
       else Z.opp number

(** val key_classes :
    (Bigint.t list * Bigint.t list) list -> Bigint.t list **)

let key_classes keys =
  map0 (fun k -> class_in keys k) keys

(** val negated : Bigint.t list -> Bigint.t list **)

let negated r =
  map0 Z.opp r

(** val made_of :
    Bigint.t list -> Bigint.t -> Bigint.t list -> Bigint.t list * Bigint.t
    list **)

let made_of c own s =
  let own_class = nth Bigint.zero c own in
  let tokens0 = map0 (fun j -> nth Bigint.zero c j) s in
  ((own_class :: (sort0 Z.leb tokens0)),
  ((Z.opp own_class) :: (sort0 Z.leb (negated tokens0))))

(** val all_zero : Bigint.t list -> bool **)

let all_zero r =
  all (fun x -> Z.eqb x Bigint.zero) r

(** val classes_after : earlier -> Bigint.t list -> Bigint.t list **)

let classes_after b c =
  match b with
  | EarlierAttention (_, lists, _) ->
    key_classes
      (map0 (fun i -> made_of c i (nth [] lists i))
        (iota Bigint.zero (size0 c)))
  | EarlierNetwork (_, f, _, _, _, _, b1, _, _, _, b2) ->
    if (&&) ((&&) (match f with
                   | Tanh -> true
                   | _ -> false) (all_zero b1)) (all_zero b2)
    then c
    else map0 (fun x -> Z.of_nat (Bigint.succ (find (fun y -> Z.eqb x y) c)))
           c
  | EarlierNorm (_, _, _, _) -> c

(** val padded : Bigint.t -> Bigint.t list -> Bigint.t list **)

let padded d0 r =
  map0 (fun k -> nth Bigint.zero r k) (iota Bigint.zero d0)

(** val primitive : Bigint.t list -> Bigint.t list **)

let primitive r =
  let c = foldr Z.gcd Bigint.zero r in
  if Z.ltb ((fun p -> p) Bigint.one) c
  then let s = map0 (fun x -> Z.div x c) r in
       if equal_row (map0 (fun x -> Z.mul c x) s) r then s else r
  else r

(** val direction_key :
    Bigint.t list -> Bigint.t list -> Bigint.t list * Bigint.t list **)

let direction_key gain r =
  let y =
    map0 (fun x -> Z.mul (fst x) (snd x)) (zip r (padded (size0 r) gain))
  in
  let key = fun s ->
    primitive
      ((foldr (fun u n0 -> Z.add (Z.mul u u) n0) Bigint.zero r) :: (map0
                                                                    (fun u ->
                                                                    Z.mul s
                                                                    (Z.mul u
                                                                    (Z.abs u)))
                                                                    y))
  in
  ((key ((fun p -> p) Bigint.one)), (key (Bigint.neg Bigint.one)))

(** val given_keys : layer_stack -> (Bigint.t list * Bigint.t list) list **)

let given_keys s =
  let rows = map0 (fun r -> padded s.top_problem.d r) s.hidden_rows in
  let plain = map0 (fun r -> (r, (negated r))) rows in
  (match s.befores with
   | [] -> plain
   | e :: _ ->
     (match e with
      | EarlierNorm (_, gain, num, _) ->
        if Z.eqb num Bigint.zero
        then map0 (fun r -> direction_key gain r) rows
        else plain
      | _ -> plain))

(** val row_classes : layer_stack -> Bigint.t list **)

let row_classes s =
  foldl (fun c b -> classes_after b c) (key_classes (given_keys s)) s.befores

(** val turns : layer -> bool **)

let turns = function
| Factors (_, _, _, _, _, _, _, _, bQ) -> all all_zero bQ
| Combined (_, _) -> true
| Projected _ -> false

(** val example_keys : layer_stack -> (Bigint.t list * Bigint.t list) list **)

let example_keys s =
  let c = row_classes s in
  map0 (fun t0 ->
    made_of c (nth Bigint.zero s.example_rows t0) (nth [] s.example_tokens t0))
    (iota Bigint.zero s.top_problem.t)

(** val stack_distinct : layer_stack -> bool -> Bigint.t **)

let stack_distinct s turning =
  let keys = example_keys s in
  if turning
  then size0 (undup ZInstances.coq_Z_eqType (Obj.magic key_classes keys))
  else size0
         (undup (seq_eqType ZInstances.coq_Z_eqType)
           (unzip1 (Obj.magic keys)))

(** val stack_directions : layer_stack -> bool -> Bigint.t **)

let stack_directions s turning =
  let keys = example_keys s in
  if turning
  then size0
         (undup ZInstances.coq_Z_eqType
           (map0 (fun x -> Obj.magic Z.abs x)
             (filter (fun x -> negb (Z.eqb x Bigint.zero)) (key_classes keys))))
  else size0
         (undup (seq_eqType ZInstances.coq_Z_eqType)
           (unzip1 (Obj.magic keys)))

(** val no_last_layer : layer **)

let no_last_layer =
  Combined (Bigint.one, [])

(** val less :
    Bigint.t -> Bigint.t list -> Bigint.t -> Bigint.t list -> Bigint.t list **)

let rec less a r b u =
  match r with
  | [] -> map0 (fun y -> Z.opp (Z.mul b y)) u
  | x :: r' ->
    (match u with
     | [] -> (Z.mul a x) :: (less a r' b [])
     | y :: u' -> (Z.sub (Z.mul a x) (Z.mul b y)) :: (less a r' b u'))

(** val eliminated :
    (Bigint.t list list * Bigint.t list list) -> Bigint.t -> Bigint.t list
    list * Bigint.t list list **)

let eliminated st k =
  let i =
    find (fun r -> negb (Z.eqb (nth Bigint.zero r k) Bigint.zero)) (snd st)
  in
  if leq (Bigint.succ i) (size0 (snd st))
  then let u = nth [] (snd st) i in
       let c = nth Bigint.zero u k in
       ((u :: (fst st)),
       (filter (fun r -> negb (all_zero r))
         (map0 (fun r ->
           if Z.eqb (nth Bigint.zero r k) Bigint.zero
           then r
           else primitive (less c r (nth Bigint.zero r k) u)) (snd st))))
  else st

(** val basis : Bigint.t -> Bigint.t list list -> Bigint.t list list **)

let basis d0 rows =
  let st =
    foldl eliminated ([], (filter (fun r -> negb (all_zero r)) rows))
      (iota Bigint.zero d0)
  in
  cat (fst st) (snd st)

(** val image :
    Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list **)

let image d0 v m =
  combination d0 (padded d0 v) (map0 (fun r -> padded d0 r) m)

(** val once : Bigint.t list -> Bigint.t list **)

let rec once s = match s with
| [] -> []
| x :: s' ->
  (match s' with
   | [] -> s
   | y :: _ ->
     if eq_op nat_eqType (Obj.magic x) (Obj.magic y)
     then once s'
     else x :: (once s'))

(** val lists_of_layer : earlier -> Bigint.t list list **)

let lists_of_layer = function
| EarlierAttention (_, lists, _) -> lists
| _ -> []

(** val used_rows : layer_stack -> Bigint.t list **)

let used_rows s =
  once
    (sort0 leq
      (cat s.example_rows
        (cat (flatten s.example_tokens)
          (flatten (map0 (fun b -> flatten (lists_of_layer b)) s.befores)))))

type any_fraction = Bigint.t * Bigint.t

(** val plus_q : any_fraction -> any_fraction -> any_fraction **)

let plus_q x y =
  ((Z.add (Z.mul (fst x) ((fun p -> p) (snd y)))
     (Z.mul (fst y) ((fun p -> p) (snd x)))), (Coq_Pos.mul (snd x) (snd y)))

(** val times_q : any_fraction -> any_fraction -> any_fraction **)

let times_q x y =
  ((Z.mul (fst x) (fst y)), (Coq_Pos.mul (snd x) (snd y)))

(** val leq_q : any_fraction -> any_fraction -> bool **)

let leq_q x y =
  Z.leb (Z.mul (fst x) ((fun p -> p) (snd y)))
    (Z.mul (fst y) ((fun p -> p) (snd x)))

(** val total_q : any_fraction option list -> any_fraction option **)

let total_q l =
  foldr (fun x y ->
    match x with
    | Some x0 -> Option.map (plus_q x0) y
    | None -> None) (Some (Bigint.zero, Bigint.one)) l

(** val applied :
    layer_stack -> (Bigint.t * Bigint.t list) -> Bigint.t -> Bigint.t list ->
    any_fraction **)

let applied s f q r =
  ((dot (padded s.top_problem.d r) (snd f)), (Coq_Pos.mul q (fst f)))

(** val behind :
    layer_stack -> Bigint.t -> Bigint.t list list -> (Bigint.t * Bigint.t
    list) -> Bigint.t * Bigint.t list **)

let behind s q v f =
  ((Coq_Pos.mul q (fst f)),
    (map0 (fun j -> dot (padded s.top_problem.d (nth [] v j)) (snd f))
      (iota Bigint.zero s.top_problem.d)))

(** val column_of :
    layer_stack -> Bigint.t -> Bigint.t list list -> Bigint.t ->
    Bigint.t * Bigint.t list **)

let column_of s q w i =
  (q, (padded s.top_problem.d (col i w)))

(** val entering_neuron :
    layer_stack -> ((Bigint.t * Bigint.t list) -> any_fraction option) ->
    Bigint.t -> Bigint.t list list -> Bigint.t -> Bigint.t list -> Bigint.t
    -> any_fraction option **)

let entering_neuron s most0 q1 w1 qb1 b1 i =
  Option.map (plus_q ((nth Bigint.zero b1 i), qb1))
    (most0 (column_of s q1 w1 i))

(** val most :
    layer_stack -> earlier list -> (Bigint.t * Bigint.t list) -> any_fraction
    option **)

let rec most s bs f =
  match bs with
  | [] ->
    let all_q =
      map0 (fun j -> applied s f s.q_hidden (nth [] s.hidden_rows j))
        (used_rows s)
    in
    (match all_q with
     | [] -> None
     | x :: l -> Some (foldr (fun y m -> if leq_q m y then y else m) x l))
  | e :: bs' ->
    (match e with
     | EarlierAttention (residual0, _, heads) ->
       total_q
         (cat (if residual0 then (most s bs' f) :: [] else [])
           (map0 (fun h0 ->
             most s bs' (behind s h0.q_earlier_value h0.earlier_value f))
             heads))
     | EarlierNetwork (residual0, f0, m, q1, w1, qb1, b1, q2, w2, qb2, b2) ->
       (match f0 with
        | Relu ->
          total_q
            (cat (if residual0 then (most s bs' f) :: [] else []) ((Some
              (applied s f qb2 b2)) :: (map0 (fun i ->
                                         let times0 =
                                           applied s f q2 (nth [] w2 i)
                                         in
                                         if Z.leb (fst times0) Bigint.zero
                                         then Some (Bigint.zero, Bigint.one)
                                         else Option.map (fun x ->
                                                if Z.leb (fst x) Bigint.zero
                                                then (Bigint.zero, Bigint.one)
                                                else times_q times0 x)
                                                (entering_neuron s
                                                  (most s bs') q1 w1 qb1 b1 i))
                                         (iota Bigint.zero m))))
        | _ -> None)
     | EarlierNorm (_, _, _, _) -> None)

(** val is_off :
    layer_stack -> earlier list -> activation -> Bigint.t -> Bigint.t list
    list -> Bigint.t -> Bigint.t list -> Bigint.t -> bool **)

let is_off s bs f q1 w1 qb1 b1 i =
  match f with
  | Relu ->
    (match entering_neuron s (most s bs) q1 w1 qb1 b1 i with
     | Some x -> Z.leb (fst x) Bigint.zero
     | None -> false)
  | _ -> false

(** val on_rows :
    layer_stack -> earlier list -> activation -> Bigint.t -> Bigint.t ->
    Bigint.t list list -> Bigint.t -> Bigint.t list -> Bigint.t list list ->
    Bigint.t list list **)

let on_rows s bs f m q1 w1 qb1 b1 w2 =
  map0 (fun i -> nth [] w2 i)
    (filter (fun i -> negb (is_off s bs f q1 w1 qb1 b1 i))
      (iota Bigint.zero m))

(** val next_space :
    layer_stack -> earlier list -> earlier -> bool -> Bigint.t list list ->
    Bigint.t list list -> Bigint.t list list **)

let next_space s bs b linear l b0 =
  if (&&) (negb linear) (nilp b0)
  then []
  else basis s.top_problem.d
         (match b with
          | EarlierAttention (residual0, _, heads) ->
            cat (if residual0 then b0 else [])
              (flatten
                (map0 (fun h0 ->
                  map0 (fun v -> image s.top_problem.d v h0.earlier_value) b0)
                  heads))
          | EarlierNetwork (residual0, f, m, q1, w1, qb1, b1, _, w2, _, b2) ->
            cat (if residual0 then b0 else [])
              (cat (if linear then b2 :: [] else [])
                (on_rows s bs f m q1 w1 qb1 b1 w2))
          | EarlierNorm (_, gain, _, _) ->
            map0 (fun v ->
              map0 (fun j ->
                Z.mul (nth Bigint.zero v j) (nth Bigint.zero gain j))
                (iota Bigint.zero s.top_problem.d)) l)

(** val first_of :
    layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t -> Bigint.t **)

let first_of s g i =
  nth Bigint.zero (used_rows s)
    (find (fun j ->
      eq_op ZInstances.coq_Z_eqType (Obj.magic g j) (Obj.magic g i))
      (used_rows s))

(** val given_spaces :
    layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t list list * Bigint.t
    list list **)

let given_spaces s g =
  let row = fun j -> nth [] s.hidden_rows j in
  ((basis s.top_problem.d (map0 row (used_rows s))),
  (basis s.top_problem.d
    (map0 (fun j ->
      less (Obj.magic GRing.one ZInstances.coq_Z_ringType) (row j)
        (Obj.magic GRing.one ZInstances.coq_Z_ringType) (row (first_of s g j)))
      (used_rows s))))

(** val spaces :
    layer_stack -> (Bigint.t -> Bigint.t) -> earlier list -> Bigint.t list
    list * Bigint.t list list **)

let rec spaces s g = function
| [] -> given_spaces s g
| b :: bs' ->
  let s0 = spaces s g bs' in
  ((next_space s bs' b true (fst s0) (fst s0)),
  (next_space s bs' b false (fst s0) (snd s0)))

(** val hulls :
    layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t list list * Bigint.t
    list list **)

let hulls s g =
  spaces s g (rev s.befores)

(** val layer_lists_ok :
    layer_stack -> (Bigint.t -> Bigint.t) -> earlier -> bool **)

let layer_lists_ok s g = function
| EarlierAttention (_, lists, _) ->
  all (fun i ->
    let s0 = nth [] lists i in
    (&&) (leq (Bigint.succ Bigint.zero) (size0 s0))
      (all (fun j ->
        eq_op ZInstances.coq_Z_eqType (Obj.magic g j) (Obj.magic g i)) s0))
    (used_rows s)
| _ -> true

(** val listed_rows : layer_stack -> Bigint.t list **)

let listed_rows s =
  flatten s.example_tokens

(** val class_at : layer_stack -> Bigint.t -> Bigint.t **)

let class_at s j =
  nth Bigint.zero (row_classes s) j

(** val token_classes : layer_stack -> Bigint.t list **)

let token_classes s =
  Obj.magic undup ZInstances.coq_Z_eqType
    (map0 (fun j -> Obj.magic class_at s j) (listed_rows s))

(** val directions_of : layer_stack -> Bigint.t list -> Bigint.t list **)

let directions_of s js =
  Obj.magic undup ZInstances.coq_Z_eqType
    (map0 (fun z0 -> Obj.magic Z.abs z0)
      (filter (fun z0 -> negb (Z.eqb z0 Bigint.zero))
        (map0 (fun j -> class_at s j) js)))

(** val few_linear : layer_stack -> Bigint.t **)

let few_linear s =
  size0 (directions_of s (listed_rows s))

(** val few_affine : layer_stack -> Bigint.t **)

let few_affine s =
  pred (size0 (token_classes s))

(** val join_classes :
    layer_stack -> (Bigint.t list * (Bigint.t * Bigint.t) list) ->
    (Bigint.t * Bigint.t) -> Bigint.t list * (Bigint.t * Bigint.t) list **)

let join_classes s st edge0 =
  let class_label = fun z0 ->
    nth Bigint.zero (fst st)
      (index ZInstances.coq_Z_eqType z0 (Obj.magic token_classes s))
  in
  let a = Obj.magic class_label (fst edge0) in
  let b = Obj.magic class_label (snd edge0) in
  if eq_op nat_eqType a b
  then st
  else ((map0 (fun l ->
          if eq_op nat_eqType (Obj.magic l) b then Obj.magic a else l)
          (fst st)), (edge0 :: (snd st)))

(** val class_edges : layer_stack -> (Bigint.t * Bigint.t) list **)

let class_edges s =
  flatten
    (map0 (fun s0 ->
      map0 (fun j -> ((class_at s (nth Bigint.zero s0 Bigint.zero)),
        (class_at s j))) s0) s.example_tokens)

(** val class_forest :
    layer_stack -> Bigint.t list * (Bigint.t * Bigint.t) list **)

let class_forest s =
  foldl (join_classes s) ((iota Bigint.zero (size0 (token_classes s))), [])
    (class_edges s)

(** val few_differences : layer_stack -> Bigint.t **)

let few_differences s =
  size0 (snd (class_forest s))

(** val dim_linear : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t **)

let dim_linear s g =
  minn (size0 (fst (hulls s g))) (few_linear s)

(** val dim_affine : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t **)

let dim_affine s g =
  minn (size0 (snd (hulls s g))) (few_affine s)

(** val dim_differences :
    layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t **)

let dim_differences s g =
  minn (size0 (snd (hulls s g))) (few_differences s)

(** val hulls_ok : layer_stack -> (Bigint.t -> Bigint.t) -> bool **)

let hulls_ok s g =
  (&&)
    ((&&) (stack_enclosable s no_last_layer)
      (all (layer_lists_ok s g) s.befores))
    (all (fun s0 ->
      all (fun j ->
        eq_op ZInstances.coq_Z_eqType (Obj.magic g j)
          (Obj.magic g (nth Bigint.zero s0 Bigint.zero))) s0)
      s.example_tokens)

(** val total_row : Bigint.t list list -> Bigint.t list **)

let total_row c =
  foldr plus_row [] c

(** val inner_rows :
    problem -> coefficient_kind -> Bigint.t -> Bigint.t list list **)

let inner_rows d0 k t0 =
  let c = context_at d0 t0 in
  if zero_query d0.d (query_at d0 t0)
  then []
  else (match k with
        | Softmax ->
          map0 (fun r ->
            less (Obj.magic GRing.one ZInstances.coq_Z_ringType) r
              (Obj.magic GRing.one ZInstances.coq_Z_ringType)
              (nth [] c Bigint.zero)) c
        | _ -> c)

(** val common_rows :
    problem -> coefficient_kind -> Bigint.t -> Bigint.t list list **)

let common_rows d0 k t0 =
  let c = context_at d0 t0 in
  if zero_query d0.d (query_at d0 t0)
  then (total_row c) :: []
  else (match k with
        | Softmax -> (nth [] c Bigint.zero) :: []
        | _ -> [])

(** val still_copies : problem -> coefficient_kind -> Bigint.t **)

let still_copies d0 k =
  head (Bigint.succ Bigint.zero)
    (map0 (fun t0 -> copies_of k t0)
      (filter (fun t0 -> zero_query d0.d (query_at d0 t0))
        (iota Bigint.zero d0.t)))

(** val same_copies : problem -> coefficient_kind -> bool **)

let same_copies d0 k =
  all (fun t0 ->
    implb (zero_query d0.d (query_at d0 t0))
      (eq_op nat_eqType (Obj.magic copies_of k t0)
        (Obj.magic still_copies d0 k))) (iota Bigint.zero d0.t)

(** val hulls_number :
    problem -> coefficient_kind -> Bigint.t list list -> Bigint.t **)

let hulls_number d0 k v =
  let a =
    basis d0.d
      (cat v
        (flatten
          (map0 (fun t0 -> inner_rows d0 k t0) (iota Bigint.zero d0.t))))
  in
  addn (muln (subn d0.h (Bigint.succ Bigint.zero)) (size0 a))
    (size0
      (basis d0.d
        (cat a
          (flatten
            (map0 (fun t0 -> common_rows d0 k t0) (iota Bigint.zero d0.t))))))

(** val cone_ok : problem -> layer -> bool -> coefficient_kind -> bool **)

let cone_ok d0 l a k =
  (&&)
    (match l with
     | Factors (_, _, _, _, _, _, bK, _, _) -> nilp bK
     | _ -> true)
    (match k with
     | Sinks (q, s, _) ->
       (||)
         ((&&) (Coq_Pos.eqb (root d0 a) Bigint.one)
           (Z.eqb
             (Z.modulo ((fun p -> p) (total_den d0 l a)) ((fun p -> p) q))
             Bigint.zero))
         (all (Z.eqb (Obj.magic GRing.zero ZInstances.coq_Z_zmodType)) s)
     | _ -> true)

(** val sink_exponent :
    problem -> layer -> bool -> Bigint.t -> Bigint.t list -> Bigint.t ->
    Bigint.t **)

let sink_exponent d0 l a q s h0 =
  Z.mul (nth Bigint.zero s h0)
    (Z.div ((fun p -> p) (total_den d0 l a)) ((fun p -> p) q))

(** val quotients_of_kind :
    coefficient_kind -> Bigint.t -> 'a1 -> 'a1 -> 'a1 list -> Bigint.t list
    list -> ('a1 list * Bigint.t list list) list **)

let quotients_of_kind k m sink zero0 l c =
  match k with
  | Softmax -> (l, c) :: []
  | Sinks (_, _, _) -> ((cat l (nseq m sink)), (cat c (nseq m []))) :: []
  | Sigmoid _ ->
    map0 (fun x -> ((cat (nseq m (fst x)) (nseq m zero0)),
      ((snd x) :: (nseq (pred (addn m m)) [])))) (zip l c)

(** val number_of_quotients : coefficient_kind -> Bigint.t -> Bigint.t **)

let number_of_quotients k n0 =
  match k with
  | Sigmoid _ -> n0
  | _ -> Bigint.succ Bigint.zero

(** val cone_quotients :
    problem -> layer -> bool -> coefficient_kind -> Bigint.t -> Bigint.t ->
    Bigint.t list -> Bigint.t list list -> power_quotient list **)

let cone_quotients d0 l a k h0 t0 l0 c =
  quotients_of_kind k (copies_of k t0)
    (match k with
     | Sinks (q, s, _) -> sink_exponent d0 l a q s h0
     | _ -> Bigint.zero) Bigint.zero l0 c

(** val cone_blocks :
    problem -> layer -> bool -> coefficient_kind -> Bigint.t list -> Bigint.t
    -> (Bigint.t -> Bigint.t -> Bigint.t list list) -> Bigint.t -> (Bigint.t
    -> Bigint.t list) -> head_blocks **)

let cone_blocks d0 l a k hs w tokens0 v beside =
  let gs = map0 (fun h0 -> prepare l h0) hs in
  { number_of = (size0 hs); block_width = w; quotients_of =
  (number_of_quotients k d0.n); quotients = (fun i t0 ->
  cone_quotients d0 l a k (nth Bigint.zero hs i) t0
    (exponents d0 l a (nth (prepare l Bigint.zero) gs i) t0) (tokens0 i t0));
  beside_width = v; beside_row = beside }

(** val cone_Z :
    problem -> layer -> bool -> coefficient_kind -> head_blocks **)

let cone_Z d0 l a k =
  cone_blocks d0 l a k (iota Bigint.zero d0.h) d0.d (fun _ t0 ->
    context_at d0 t0) Bigint.zero (fun _ -> [])

(** val cone_labels :
    problem -> layer -> bool -> coefficient_kind -> head_blocks **)

let cone_labels d0 l a k =
  cone_blocks d0 l a k (iota Bigint.zero d0.h) d0.d (fun _ t0 ->
    context_at d0 t0) d0.d_out (fun t0 -> nth [] d0.labels t0)

(** val cone_values :
    problem -> layer -> bool -> coefficient_kind -> whole -> Bigint.t list ->
    bool -> bool -> head_blocks **)

let cone_values d0 l a k w hs ones labelled =
  let cs = map0 (fun h0 -> value_columns d0 w h0) hs in
  cone_blocks d0 l a k hs w.value_width (fun i t0 ->
    values_of w (nth [] cs i) (context_at d0 t0))
    (beside_size d0 ones labelled) (beside_of d0 ones labelled)

(** val cone_blocks_of :
    problem -> arguments -> layer -> bool -> coefficient_kind -> blocks ->
    head_blocks option **)

let cone_blocks_of d0 c l a k b =
  let heads = iota Bigint.zero d0.h in
  let only =
    match c.only_head with
    | Some h0 -> if leq (Bigint.succ h0) d0.h then Some h0 else None
    | None -> None
  in
  (match b with
   | WithOnes l0 ->
     Some
       (cone_blocks d0 l a k heads d0.d (fun _ t0 -> context_at d0 t0)
         (beside_size d0 true l0) (beside_of d0 true l0))
   | OneHead outputs ->
     if outputs
     then (match only with
           | Some h0 ->
             (match d0.around with
              | Some w -> Some (cone_values d0 l a k w (h0 :: []) false false)
              | None -> None)
           | None -> None)
     else (match only with
           | Some h0 ->
             Some
               (cone_blocks d0 l a k (h0 :: []) d0.d (fun _ t0 ->
                 context_at d0 t0) Bigint.zero (fun _ -> []))
           | None -> None)
   | Outputs (o, l0) ->
     (match d0.around with
      | Some w -> Some (cone_values d0 l a k w heads o l0)
      | None -> None))

(** val different_blocks_ok :
    problem -> layer -> bool -> head_blocks -> Bigint.t -> Bigint.t ->
    Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t) list -> bool **)

let different_blocks_ok d0 l a b p g o rows cols =
  (&&) (Z.ltb ((fun p -> p) Bigint.one) p)
    ((&&) (order_ok p g o)
      ((&&) (residue_ok d0 l a p g)
        ((&&) (all (fun t0 -> leq (Bigint.succ t0) d0.t) rows)
          ((&&)
            (all (fun c ->
              (&&) (leq (Bigint.succ (fst c)) b.number_of)
                (leq (Bigint.succ (snd c)) b.block_width)) cols)
            (let ws = column_words cols in
             let m = minn (heads_in cols) b.number_of in
             (match all_some (fun t0 ->
                      Option.map (entries_at cols ws)
                        (blocks_row_mod b p g o m t0)) rows with
              | Some m0 -> all_differ p m0
              | None -> false))))))

(** val cone_head_row :
    problem -> layer -> bool -> coefficient_kind -> Bigint.t -> Bigint.t ->
    Bigint.t list **)

let cone_head_row d0 l a k h0 t0 =
  let l0 = exponents d0 l a (prepare l h0) t0 in
  (match k with
   | Softmax -> reduced l0
   | Sinks (q, s, _) ->
     (Z.of_nat (copies_of k t0)) :: (reduced
                                      (rcons l0 (sink_exponent d0 l a q s h0)))
   | Sigmoid _ -> (Z.of_nat (copies_of k t0)) :: l0)

(** val cone_head :
    problem -> layer -> bool -> coefficient_kind -> Bigint.t -> Bigint.t list
    list **)

let cone_head d0 l a k h0 =
  map0 (fun t0 -> cone_head_row d0 l a k h0 t0) (iota Bigint.zero d0.t)

(** val cone_heads :
    problem -> layer -> bool -> coefficient_kind -> Bigint.t list list list **)

let cone_heads d0 l a k =
  distinct equal_rows
    (map0 (fun h0 -> cone_head d0 l a k h0) (iota Bigint.zero d0.h))

(** val copies_agree : problem -> coefficient_kind -> bool **)

let copies_agree d0 k = match k with
| Softmax -> true
| Sinks (_, _, c) ->
  (||) (nilp c)
    (let s =
       map0 (fun t0 -> ((example_key d0 t0), (copies_of k t0)))
         (iota Bigint.zero d0.t)
     in
     all (fun x ->
       all (fun y ->
         implb (equal_example (fst x) (fst y))
           (eq_op nat_eqType (snd (Obj.magic x)) (snd (Obj.magic y)))) s) s)
| Sigmoid c ->
  (||) (nilp c)
    (let s =
       map0 (fun t0 -> ((example_key d0 t0), (copies_of k t0)))
         (iota Bigint.zero d0.t)
     in
     all (fun x ->
       all (fun y ->
         implb (equal_example (fst x) (fst y))
           (eq_op nat_eqType (snd (Obj.magic x)) (snd (Obj.magic y)))) s) s)

(** val zero_exponent : problem -> Bigint.t list **)

let zero_exponent d0 =
  nseq (muln d0.d d0.d) Bigint.zero

(** val sink_variable : problem -> Bigint.t list **)

let sink_variable d0 =
  rcons (zero_exponent d0) ((fun p -> p) Bigint.one)

(** val capacity_quotients :
    problem -> coefficient_kind -> Bigint.t -> (Bigint.t list list * Bigint.t
    list list) list **)

let capacity_quotients d0 k t0 =
  let c = context_at d0 t0 in
  quotients_of_kind k (copies_of k t0) (sink_variable d0) (zero_exponent d0)
    (map0 (fun r -> outer r (nth [] d0.queries t0)) c) c

(** val zero_cone_capacity_ok :
    problem -> coefficient_kind -> Bigint.t -> Bigint.t list list -> bool **)

let zero_cone_capacity_ok d0 k p y =
  let m = number_of_quotients k d0.n in
  let s =
    flatten
      (map0 (fun t0 -> capacity_quotients d0 k t0) (iota Bigint.zero d0.t))
  in
  (&&) (independent_mod p d0.t y)
    ((&&)
      (all (fun y0 -> eq_op nat_eqType (Obj.magic size0 y0) (Obj.magic d0.t))
        y)
      (all (fun y0 ->
        left_identity plus_row equal_row less_row (zero_exponent d0)
          (fun x -> x) d0.d (muln d0.t m)
          (map0 (fun u -> constant_sum (nth Bigint.zero y0 (divn u m)))
            (iota Bigint.zero (muln d0.t m))) (fun u ->
          fst (nth ([], []) s u)) (fun u -> snd (nth ([], []) s u))) y))

(** val with_layer : problem -> layer -> problem **)

let with_layer d0 l =
  { t = d0.t; h = d0.h; n = d0.n; d = d0.d; d_h = d0.d_h; d_v = d0.d_v;
    d_out = d0.d_out; base_two = d0.base_two; logit_scale = (Rational
    ((Obj.magic GRing.one ZInstances.coq_Z_ringType), Bigint.one));
    q_contexts = d0.q_contexts; context_rows = d0.context_rows; q_queries =
    d0.q_queries; queries = d0.queries; given = (Some l); q_labels =
    d0.q_labels; labels = d0.labels; around = None }

(** val chosen_columns :
    problem -> layer -> Bigint.t -> Bigint.t list -> (Bigint.t * Bigint.t)
    list list **)

let chosen_columns d0 l bits cols =
  let d' = with_layer d0 l in
  map0 (fun r -> map0 (fun j -> nth (Bigint.zero, Bigint.zero) r j) cols)
    (rounded_Z d' (attention_table d' bits) bits)

type enclosed_readout = { q_inverse : Bigint.t;
                          inverse_rows : Bigint.t list list;
                          q_mid : Bigint.t; mids : Bigint.t list list;
                          q_rad : Bigint.t; rads : Bigint.t list list }

(** val worst : Bigint.t list -> Bigint.t **)

let worst l =
  foldr Z.max Bigint.zero l

(** val q_target : problem -> Bigint.t **)

let q_target d0 =
  Coq_Pos.mul d0.q_labels d0.q_queries

(** val target_entry :
    problem -> arguments -> Bigint.t -> Bigint.t -> Bigint.t **)

let target_entry d0 c t0 o =
  Z.sub (Z.mul (ent d0.labels t0 o) ((fun p -> p) d0.q_queries))
    (if c.added_query
     then Z.mul (ent d0.queries t0 o) ((fun p -> p) d0.q_labels)
     else Bigint.zero)

(** val residual :
    problem -> arguments -> enclosed_readout -> Bigint.t ->
    (Bigint.t * Bigint.t) list list -> Bigint.t -> Bigint.t list **)

let residual d0 c w s zs o =
  let mid = col o w.mids in
  map0 (fun x ->
    Z.sub
      (Z.mul (Z.mul ((fun p -> p) w.q_mid) ((fun p -> p) s))
        (target_entry d0 c (fst x) o))
      (Z.mul ((fun p -> p) (q_target d0)) (dot (map0 middle (snd x)) mid)))
    (zip (iota Bigint.zero d0.t) zs)

(** val residual_error :
    problem -> enclosed_readout -> (Bigint.t * Bigint.t) list list ->
    Bigint.t -> Bigint.t list **)

let residual_error d0 w zs o =
  let size1 = map0 Z.abs (col o w.mids) in
  map0 (fun r ->
    Z.mul ((fun p -> p) (q_target d0)) (dot (map0 width_of r) size1)) zs

(** val label_column_ok :
    problem -> arguments -> enclosed_readout -> Bigint.t -> Bigint.t ->
    (Bigint.t * Bigint.t) list list -> Bigint.t -> bool **)

let label_column_ok d0 c w s slack zs o =
  let v = residual d0 c w s zs o in
  let n0 = residual_error d0 w zs o in
  let most0 =
    worst
      (map0 (fun r -> Z.add (Z.abs (dot r v)) (dot (map0 Z.abs r) n0))
        w.inverse_rows)
  in
  all (fun rad ->
    Z.leb (Z.mul most0 ((fun p -> p) w.q_rad))
      (Z.mul (Z.mul slack rad)
        (Z.mul ((fun p -> p) (q_target d0)) ((fun p -> p) w.q_mid))))
    (col o w.rads)

(** val readout_ok :
    problem -> arguments -> enclosed_readout -> layer -> Bigint.t -> Bigint.t
    list -> bool **)

let readout_ok d0 c w l bits cols =
  let zs = chosen_columns d0 l bits cols in
  let s =
    Coq_Pos.mul ((fun p -> Bigint.shift_left p 1) Bigint.one) (two_power bits)
  in
  let one0 = Z.mul ((fun p -> p) w.q_inverse) ((fun p -> p) s) in
  (&&)
    ((&&) (in_shape d0 l)
      ((&&) (wf_layer d0 l)
        ((&&) (eq_op nat_eqType (Obj.magic size0 cols) (Obj.magic d0.t))
          (all (fun j -> leq (Bigint.succ j) (muln d0.h d0.d)) cols))))
    ((&&)
      ((&&) (sizes_are d0.t d0.t w.inverse_rows)
        ((&&) (sizes_are d0.t d0.d_out w.mids)
          ((&&) (sizes_are d0.t d0.d_out w.rads)
            ((&&)
              (eq_op nat_eqType (Obj.magic size0 d0.labels) (Obj.magic d0.t))
              (implb c.added_query (leq d0.d_out d0.d))))))
      (let slack =
         Z.sub one0
           (worst
             (defects_of d0.t one0 zs (nseq d0.t ((fun p -> p) Bigint.one))
               w.inverse_rows))
       in
       (&&) (Z.ltb Bigint.zero slack)
         (all (label_column_ok d0 c w s slack zs) (iota Bigint.zero d0.d_out))))

(** val case_layer_at : problem -> layer -> bool -> problem **)

let case_layer_at d0 l a =
  { t = d0.t; h = d0.h; n = d0.n; d = d0.d; d_h = d0.d_h; d_v = d0.d_v;
    d_out = d0.d_out; base_two = d0.base_two; logit_scale =
    (if a
     then Rational ((Obj.magic GRing.one ZInstances.coq_Z_ringType),
            Bigint.one)
     else d0.logit_scale); q_contexts = d0.q_contexts; context_rows =
    d0.context_rows; q_queries = d0.q_queries; queries = d0.queries; given =
    (Some l); q_labels = d0.q_labels; labels = d0.labels; around = None }

(** val enclosed_part :
    problem -> layer -> bool -> Bigint.t -> Bigint.t list -> Bigint.t list ->
    (Bigint.t * Bigint.t) list list **)

let enclosed_part d0 l a bits rows cols =
  let d' = case_layer_at d0 l a in
  let zs = rounded_Z d' (attention_table d' bits) bits in
  map0 (fun r -> map0 (fun j -> nth (Bigint.zero, Bigint.zero) r j) cols)
    (map0 (fun t0 -> nth [] zs t0) rows)

(** val enclosed_minor_ok :
    problem -> layer -> bool -> Bigint.t -> Bigint.t list -> Bigint.t list ->
    Bigint.t -> Bigint.t list list -> bool **)

let enclosed_minor_ok d0 l a bits rows cols q r =
  let k = size0 rows in
  (&&)
    ((&&) (wf_problem d0)
      ((&&) (wf_layer d0 l)
        ((&&) (eq_op nat_eqType (Obj.magic size0 cols) (Obj.magic k))
          ((&&) (all (fun t0 -> leq (Bigint.succ t0) d0.t) rows)
            (all (fun j -> leq (Bigint.succ j) (muln d0.h d0.d)) cols)))))
    ((&&) (sizes_are k k r)
      (let one0 =
         Z.mul ((fun p -> p) q) ((fun p -> p)
           (Coq_Pos.mul ((fun p -> Bigint.shift_left p 1) Bigint.one)
             (two_power bits)))
       in
       all (fun x -> Z.ltb x one0)
         (defects_of k one0 (enclosed_part d0 l a bits rows cols)
           (nseq k ((fun p -> p) Bigint.one)) r)))

type j_entry =
| KeyEntry of Bigint.t * Bigint.t
| QueryEntry of Bigint.t * Bigint.t
| ReadEntry of Bigint.t * Bigint.t

(** val invertible : Bigint.t -> Bigint.t -> bool **)

let invertible p q =
  isSome (invmod p ((fun p -> p) q))

(** val over : Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list **)

let over p q r =
  match invmod p ((fun p -> p) q) with
  | Some v -> map0 (fun x -> Z.modulo (Z.mul x v) p) r
  | None -> []

(** val dots :
    Bigint.t -> Bigint.t list list -> Bigint.t list -> Bigint.t list **)

let dots p m u =
  map0 (fun r -> Z.modulo (dot r u) p) m

(** val readouts_mod :
    problem -> Bigint.t -> Bigint.t list list option -> Bigint.t list list
    list **)

let readouts_mod d0 p u =
  let by_output = fun f -> map0 f (iota Bigint.zero d0.d_out) in
  (match u with
   | Some u0 ->
     map0 (fun h0 ->
       by_output (fun o ->
         over p Bigint.one (col o (take d0.d (drop (muln h0 d0.d) u0)))))
       (iota Bigint.zero d0.h)
   | None ->
     (match d0.around with
      | Some w ->
        let last0 =
          by_output (fun o -> over p w.q_readout (col o w.readout_weights))
        in
        map0 (fun h0 ->
          let v =
            map0 (fun r -> over p w.q_value r) (nth [] w.value_weights h0)
          in
          let o =
            map0 (fun r -> over p w.q_output r) (nth [] w.output_weights h0)
          in
          map0 (fun c -> dots p v (dots p o c)) last0) (iota Bigint.zero d0.h)
      | None -> []))

(** val readouts_ok :
    problem -> Bigint.t -> Bigint.t list list option -> bool **)

let readouts_ok d0 p = function
| Some _ -> invertible p Bigint.one
| None ->
  (match d0.around with
   | Some w ->
     (&&) (invertible p w.q_value)
       ((&&) (invertible p w.q_output)
         ((&&) (invertible p w.q_readout)
           ((&&)
             (all (all (fun r -> leq (size0 r) w.value_width))
               w.value_weights)
             (all (all (fun r -> leq (size0 r) w.output_width))
               w.output_weights))))
   | None -> true)

type head_mod = { logits_of : literal_head; key_columns : Bigint.t list list;
                  query_columns : Bigint.t list list;
                  query_bias_mod : Bigint.t list;
                  readout_columns : Bigint.t list list }

(** val head_mod_of :
    layer -> Bigint.t -> Bigint.t list list list -> Bigint.t -> head_mod **)

let head_mod_of l p u h0 =
  match l with
  | Factors (m, qk, k, qq, q, _, _, qqb, bQ) ->
    { logits_of = (prepare l h0); key_columns =
      (map0 (fun c -> over p qk c) (columns m (nth [] k h0)));
      query_columns =
      (map0 (fun c -> over p qq c) (columns m (nth [] q h0)));
      query_bias_mod = (over p qqb (nth [] bQ h0)); readout_columns =
      (nth [] u h0) }
  | _ ->
    { logits_of = (prepare l h0); key_columns = []; query_columns = [];
      query_bias_mod = []; readout_columns = (nth [] u h0) }

(** val heads_mod :
    problem -> layer -> Bigint.t -> Bigint.t list list option -> head_mod list **)

let heads_mod d0 l p u =
  let u0 = readouts_mod d0 p u in
  map0 (fun h0 -> head_mod_of l p u0 h0) (iota Bigint.zero d0.h)

type parts_of_row = { row_c : Bigint.t list; row_kc : Bigint.t list;
                      row_z : Bigint.t list; row_projected : Bigint.t list;
                      row_query : Bigint.t list }

(** val row_mod :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t
    -> Bigint.t -> head_mod -> parts_of_row option **)

let row_mod d0 l a p g o t0 out h0 =
  let x = map0 (fun r -> over p d0.q_contexts r) (context_at d0 t0) in
  let q = over p d0.q_queries (nth [] d0.queries t0) in
  let powers =
    map0 (fun x0 -> root_power p g o x0) (exponents d0 l a h0.logits_of t0)
  in
  (match invmod p (sum_mod p powers) with
   | Some v ->
     let alpha = map0 (fun x0 -> Z.modulo (Z.mul x0 v) p) powers in
     let y = dots p x (nth [] h0.readout_columns out) in
     let mean = Z.modulo (dot alpha y) p in
     let c =
       wsum p
         (map0 (fun x0 -> Z.modulo (Z.mul (fst x0) (Z.sub (snd x0) mean)) p)
           (zip alpha y)) x
     in
     let projected =
       match l with
       | Factors (_, _, _, _, _, _, _, _, _) ->
         add_bias (Obj.magic GRing.one ZInstances.coq_Z_ringType)
           (dots p h0.query_columns q) h0.query_bias_mod
       | _ -> q
     in
     Some { row_c = c; row_kc = (dots p h0.key_columns c); row_z =
     (wsum p alpha x); row_projected = projected; row_query = q }
   | None -> None)

(** val entry_mod :
    Bigint.t -> Bigint.t -> parts_of_row list -> (Bigint.t * j_entry) ->
    Bigint.t **)

let entry_mod p out rs c =
  let r =
    nth { row_c = []; row_kc = []; row_z = []; row_projected = [];
      row_query = [] } rs (fst c)
  in
  (match snd c with
   | KeyEntry (j, k) ->
     Z.modulo
       (Z.mul (nth Bigint.zero r.row_c j) (nth Bigint.zero r.row_projected k))
       p
   | QueryEntry (j, k) ->
     Z.modulo
       (Z.mul (nth Bigint.zero r.row_query j) (nth Bigint.zero r.row_kc k)) p
   | ReadEntry (j, o) ->
     if eq_op nat_eqType (Obj.magic o) (Obj.magic out)
     then nth Bigint.zero r.row_z j
     else Bigint.zero)

(** val entries_mod :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t -> head_mod
    list -> (Bigint.t * j_entry) list -> (Bigint.t * Bigint.t) -> Bigint.t
    list option **)

let entries_mod d0 l a p g o hs cols x =
  match all_some (row_mod d0 l a p g o (fst x) (snd x)) hs with
  | Some rs -> Some (map0 (fun c -> entry_mod p (snd x) rs c) cols)
  | None -> None

(** val key_width : problem -> layer -> Bigint.t **)

let key_width d0 = function
| Factors (m, _, _, _, _, _, _, _, _) -> m
| _ -> d0.d

(** val entry_ok : problem -> layer -> (Bigint.t * j_entry) -> bool **)

let entry_ok d0 l c =
  (&&) (leq (Bigint.succ (fst c)) d0.h)
    (match snd c with
     | KeyEntry (j, k) ->
       (&&) (leq (Bigint.succ j) d0.d) (leq (Bigint.succ k) (key_width d0 l))
     | QueryEntry (j, k) ->
       (match l with
        | Factors (m, _, _, _, _, _, _, _, _) ->
          (&&) (leq (Bigint.succ j) d0.d) (leq (Bigint.succ k) m)
        | _ -> false)
     | ReadEntry (j, o) ->
       (&&) (leq (Bigint.succ j) d0.d) (leq (Bigint.succ o) d0.d_out))

(** val scale_ok : problem -> bool -> bool **)

let scale_ok d0 a =
  (||) a
    (match d0.logit_scale with
     | Rational (x, _) -> negb (Z.eqb x Bigint.zero)
     | InverseRoot _ -> true)

(** val factors_ok : problem -> layer -> Bigint.t -> bool **)

let factors_ok d0 l p =
  match l with
  | Factors (_, qk, k, qq, q, _, _, qqb, _) ->
    (&&) (invertible p qk)
      ((&&) (invertible p qq)
        ((&&) (invertible p qqb)
          ((&&) (all (fun m -> leq (size0 m) d0.d) k)
            (all (fun m -> leq (size0 m) d0.d) q))))
  | Combined (_, _) -> true
  | Projected _ -> false

(** val minor_J_ok :
    problem -> layer -> bool -> Bigint.t list list option -> Bigint.t ->
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * j_entry) list -> bool **)

let minor_J_ok d0 l a u p g o rows cols =
  (&&)
    ((&&) (wf_problem d0)
      ((&&) (wf_layer d0 l)
        ((&&) (Z.ltb ((fun p -> p) Bigint.one) p)
          ((&&) (order_ok p g o) (residue_ok d0 l a p g)))))
    ((&&)
      ((&&) (scale_ok d0 a)
        ((&&) (invertible p d0.q_contexts)
          ((&&) (invertible p d0.q_queries)
            ((&&) (readouts_ok d0 p u) (factors_ok d0 l p)))))
      ((&&)
        (all (fun x ->
          (&&) (leq (Bigint.succ (fst x)) d0.t)
            (leq (Bigint.succ (snd x)) d0.d_out)) rows)
        ((&&) (all (entry_ok d0 l) cols)
          (match all_some
                   (entries_mod d0 l a p g o (heads_mod d0 l p u) cols) rows with
           | Some m -> free_mod p (size0 cols) m
           | None -> false))))

type j_part = { on_keys : Bigint.t list list;
                on_queries : Bigint.t list list; on_reads : Bigint.t list list }

(** val no_part : j_part **)

let no_part =
  { on_keys = []; on_queries = []; on_reads = [] }

(** val query_width : layer -> Bigint.t **)

let query_width = function
| Factors (m, _, _, _, _, _, _, _, _) -> m
| _ -> Bigint.zero

(** val of_size : Bigint.t -> Bigint.t -> Bigint.t list list -> bool **)

let of_size h0 w m =
  (&&) (eq_op nat_eqType (Obj.magic size0 m) (Obj.magic h0))
    (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic w)) m)

(** val part_ok : problem -> layer -> j_part -> bool **)

let part_ok d0 l x =
  (&&) (of_size d0.d (key_width d0 l) x.on_keys)
    ((&&) (of_size (query_width l) d0.d x.on_queries)
      (of_size d0.d_out d0.d x.on_reads))

(** val flat_part : j_part -> Bigint.t list **)

let flat_part x =
  cat (flatten x.on_keys) (cat (flatten x.on_queries) (flatten x.on_reads))

(** val part_width : problem -> layer -> Bigint.t **)

let part_width d0 l =
  addn (muln d0.d (key_width d0 l))
    (addn (muln (query_width l) d0.d) (muln d0.d_out d0.d))

(** val columns_number : problem -> layer -> Bigint.t **)

let columns_number d0 l =
  muln d0.h (part_width d0 l)

(** val readout_den : problem -> Bigint.t list list option -> Bigint.t **)

let readout_den d0 = function
| Some _ -> Bigint.one
| None ->
  (match d0.around with
   | Some w -> Coq_Pos.mul w.q_value (Coq_Pos.mul w.q_output w.q_readout)
   | None -> Bigint.one)

(** val readout_column :
    problem -> Bigint.t list list option -> Bigint.t -> Bigint.t -> Bigint.t
    list **)

let readout_column d0 u h0 o =
  match u with
  | Some u0 -> col o (take d0.d (drop (muln h0 d0.d) u0))
  | None ->
    (match d0.around with
     | Some w ->
       let c =
         map0 (fun r -> dot r (col o w.readout_weights))
           (nth [] w.output_weights h0)
       in
       map0 (fun r -> dot r c) (nth [] w.value_weights h0)
     | None -> [])

(** val readout_sizes : problem -> Bigint.t list list option -> bool **)

let readout_sizes d0 = function
| Some _ -> true
| None ->
  (match d0.around with
   | Some w ->
     (&&) (all (all (fun r -> leq (size0 r) w.value_width)) w.value_weights)
       (all (all (fun r -> leq (size0 r) w.output_width)) w.output_weights)
   | None -> true)

(** val projected_den : problem -> layer -> Bigint.t **)

let projected_den d0 = function
| Factors (_, _, _, qq, _, _, _, qqb, _) ->
  Coq_Pos.mul (Coq_Pos.mul qq qqb) d0.q_queries
| _ -> d0.q_queries

(** val projected_row :
    problem -> layer -> Bigint.t -> Bigint.t list -> Bigint.t list **)

let projected_row d0 l h0 e =
  match l with
  | Factors (m, _, _, qq, q, _, _, qqb, bQ) ->
    add_bias ((fun p -> p) (Coq_Pos.mul qq d0.q_queries))
      (map0 (fun c -> Z.mul ((fun p -> p) qqb) (dot c e))
        (columns m (nth [] q h0))) (nth [] bQ h0)
  | _ -> e

(** val motion_den : problem -> layer -> Bigint.t **)

let motion_den d0 l = match l with
| Factors (_, qk, _, _, _, _, _, _, _) -> Coq_Pos.mul qk (projected_den d0 l)
| _ -> projected_den d0 l

(** val motion_row :
    problem -> layer -> Bigint.t -> Bigint.t list -> j_part -> Bigint.t list **)

let motion_row d0 l h0 e x =
  let p = projected_row d0 l h0 e in
  (match l with
   | Factors (_, qk, k, qq, _, _, _, qqb, _) ->
     let q = map0 (fun r -> dot r e) x.on_queries in
     map0 (fun r ->
       Z.add (Z.mul ((fun p -> p) qk) (dot (nth [] x.on_keys r) p))
         (Z.mul ((fun p -> p) (Coq_Pos.mul qq qqb))
           (dot (nth [] (nth [] k h0) r) q))) (iota Bigint.zero d0.d)
   | _ -> map0 (fun r -> dot r p) x.on_keys)

(** val pair_logits : Bigint.t -> Bigint.t list -> Bigint.t list **)

let pair_logits n0 l =
  map0 (fun s ->
    Z.add (nth Bigint.zero l (divn s n0)) (nth Bigint.zero l (modn s n0)))
    (iota Bigint.zero (muln n0 n0))

(** val pair_tokens :
    problem -> layer -> Bigint.t list list option -> Bigint.t -> Bigint.t ->
    Bigint.t -> j_part -> Bigint.t list list **)

let pair_tokens d0 l u t0 o h0 x =
  let c = context_at d0 t0 in
  let g = motion_row d0 l h0 (nth [] d0.queries t0) x in
  let y = map0 (fun r -> dot r (readout_column d0 u h0 o)) c in
  let m = map0 (fun r -> dot r g) c in
  let w = map0 (fun r -> dot r (nth [] x.on_reads o)) c in
  let s = (fun p -> p)
    (Coq_Pos.mul (Coq_Pos.mul d0.q_contexts (motion_den d0 l))
      (readout_den d0 u))
  in
  map0 (fun k ->
    (Z.add
      (Z.mul (nth Bigint.zero m (divn k d0.n))
        (Z.sub (nth Bigint.zero y (divn k d0.n))
          (nth Bigint.zero y (modn k d0.n))))
      (Z.mul (nth Bigint.zero w (divn k d0.n)) s)) :: [])
    (iota Bigint.zero (muln d0.n d0.n))

(** val factor_of_head :
    Bigint.t list list -> (Bigint.t * Bigint.t) list list **)

let factor_of_head c =
  if all (all (Z.eqb (Obj.magic GRing.zero ZInstances.coq_Z_zmodType))) c
  then []
  else ((Bigint.zero, ((fun p -> p) Bigint.one)) :: []) :: []

(** val zero_J_row :
    problem -> layer -> bool -> Bigint.t list list option -> j_part list ->
    Bigint.t -> Bigint.t -> bool **)

let zero_J_row d0 l a u v t0 o =
  let c = fun h0 -> pair_tokens d0 l u t0 o h0 (nth no_part v h0) in
  right_identity Z.add Z.eqb Z.ltb Bigint.zero (collect_powers d0 l a)
    (Bigint.succ Bigint.zero) d0.h
    (map0 (fun h0 -> factor_of_head (c h0)) (iota Bigint.zero d0.h))
    (fun h0 ->
    pair_logits d0.n (least_0 (exponents d0 l a (prepare l h0) t0))) c

(** val zero_J_ok :
    problem -> layer -> bool -> Bigint.t list list option -> Bigint.t ->
    j_part list list -> bool **)

let zero_J_ok d0 l a u p v =
  (&&) ((&&) (wf_problem d0) (wf_layer d0 l))
    ((&&) (readout_sizes d0 u)
      ((&&)
        (match l with
         | Factors (_, _, k, _, q, _, _, _, _) ->
           (&&) (all (fun m -> leq (size0 m) d0.d) k)
             (all (fun m -> leq (size0 m) d0.d) q)
         | Combined (_, _) -> true
         | Projected _ -> false)
        ((&&)
          (all (fun v0 ->
            (&&) (eq_op nat_eqType (Obj.magic size0 v0) (Obj.magic d0.h))
              (all (part_ok d0 l) v0)) v)
          ((&&)
            (independent_mod p (columns_number d0 l)
              (map0 (fun v0 -> flatten (map0 flat_part v0)) v))
            (all (fun v0 ->
              all (fun t0 ->
                all (zero_J_row d0 l a u v0 t0) (iota Bigint.zero d0.d_out))
                (iota Bigint.zero d0.t)) v)))))

(** val iv_opposite : (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let iv_opposite x =
  ((Z.opp (snd x)), (Z.opp (fst x)))

(** val iv_over :
    precision -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) ->
    Bigint.t * Bigint.t **)

let iv_over p x y =
  if Z.ltb Bigint.zero (fst y)
  then iv_times p x (iv_inverse p y)
  else iv_times p (iv_opposite x) (iv_inverse p (iv_opposite y))

(** val off_zero : (Bigint.t * Bigint.t) -> Bigint.t **)

let off_zero x =
  Z.max (fst x) (Z.opp (snd x))

(** val farthest :
    (Bigint.t * Bigint.t) list -> Bigint.t -> (Bigint.t * Bigint.t) ->
    Bigint.t **)

let rec farthest r k best =
  match r with
  | [] -> fst best
  | x :: r' ->
    farthest r' (Bigint.succ k)
      (if Z.ltb (snd best) (off_zero x) then (k, (off_zero x)) else best)

type placed = Bigint.t * (Bigint.t * Bigint.t) list

(** val reduced_row :
    precision -> (Bigint.t * Bigint.t) list -> placed ->
    (Bigint.t * Bigint.t) list **)

let reduced_row p r u =
  let f =
    iv_opposite
      (iv_over p (nth (Bigint.zero, Bigint.zero) r (fst u))
        (nth (Bigint.zero, Bigint.zero) (snd u) (fst u)))
  in
  map0 (fun x -> plus (fst x) (iv_times p f (snd x))) (zip r (snd u))

(** val taken :
    precision -> placed list -> (Bigint.t * Bigint.t) list -> placed list
    option **)

let taken p st r =
  let s = foldl (reduced_row p) r st in
  let j = farthest s Bigint.zero (Bigint.zero, Bigint.zero) in
  if Z.ltb Bigint.zero (off_zero (nth (Bigint.zero, Bigint.zero) s j))
  then Some (rcons st (j, s))
  else None

(** val subsets_free :
    precision -> placed list -> Bigint.t -> (Bigint.t * Bigint.t) list list
    -> bool **)

let rec subsets_free p st k rows =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> true)
    (fun k' ->
    match rows with
    | [] -> true
    | r :: rows' ->
      if leq (Bigint.succ (size0 rows)) k
      then true
      else if subsets_free p st k rows'
           then (match taken p st r with
                 | Some st' -> subsets_free p st' k' rows'
                 | None -> false)
           else false)
    k

(** val iv_mean_of :
    layer_stack -> (Bigint.t * Bigint.t) list list -> Bigint.t list ->
    (Bigint.t * Bigint.t) list **)

let iv_mean_of s rows s0 =
  map0 (fun y -> lowered (Z.to_pos (Z.of_nat (size0 s0))) y)
    (foldr add_iv (nseq s.top_problem.d (Bigint.zero, Bigint.zero))
      (iv_tokens rows s0))

(** val iv_mixed :
    layer_stack -> bool -> (Bigint.t * Bigint.t) list list -> Bigint.t list
    -> (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list **)

let iv_mixed s mixed rows s0 v =
  if mixed then add_iv v (iv_mean_of s rows s0) else v

(** val iv_vectors :
    layer_stack -> Bigint.t -> (Bigint.t * Bigint.t) list list option **)

let iv_vectors s bits =
  let p = precision_of bits in
  let st = iv_entering s p (digits_of p) in
  if (&&) (stack_enclosable s no_last_layer) (fst st)
  then Some (snd st)
  else None

(** val entering_queries_ok :
    layer_stack -> Bigint.t -> bool -> Bigint.t -> bool **)

let entering_queries_ok s bits =
  let p = precision_of bits in
  (fun mixed k ->
  match iv_vectors s bits with
  | Some rows ->
    (&&) (leq k s.top_problem.t)
      (subsets_free p [] k
        (map0 (fun t0 ->
          iv_mixed s mixed rows (nth [] s.example_tokens t0)
            (nth [] rows (nth Bigint.zero s.example_rows t0)))
          (iota Bigint.zero s.top_problem.t)))
  | None -> false)

(** val entering_contexts_ok : layer_stack -> Bigint.t -> bool -> bool **)

let entering_contexts_ok s bits =
  let p = precision_of bits in
  (fun mixed ->
  match iv_vectors s bits with
  | Some rows ->
    all (fun s0 ->
      subsets_free p [] (size0 s0)
        (map0 (fun j -> iv_mixed s mixed rows s0 (nth [] rows j)) s0))
      s.example_tokens
  | None -> false)

(** val fewest_tokens : layer_stack -> Bigint.t **)

let fewest_tokens s =
  foldr minn (minn s.top_problem.n s.top_problem.d)
    (map0 size0 s.example_tokens)

(** val own_directions : layer_stack -> Bigint.t list **)

let own_directions s =
  map0 (fun t0 -> Z.abs (class_at s (nth Bigint.zero s.example_rows t0)))
    (iota Bigint.zero s.top_problem.t)

(** val queries_most : layer_stack -> Bigint.t **)

let queries_most s =
  let os = own_directions s in
  if in_mem (Obj.magic Bigint.zero)
       (mem (seq_predType ZInstances.coq_Z_eqType) (Obj.magic os))
  then Bigint.zero
  else if uniq ZInstances.coq_Z_eqType (Obj.magic os)
       then s.top_problem.t
       else Bigint.succ Bigint.zero

(** val contexts_most : layer_stack -> (Bigint.t -> Bigint.t) -> Bigint.t **)

let contexts_most s g =
  foldr minn (dim_linear s g)
    (map0 (fun s0 -> size0 (directions_of s s0)) s.example_tokens)

(** val head_form_rows :
    layer_stack -> layer -> Bigint.t -> Bigint.t list list **)

let head_form_rows s l h0 =
  let ds = iota Bigint.zero s.top_problem.d in
  (match l with
   | Factors (m, _, k, _, q, _, _, _, bQ) ->
     let key = fun j -> padded m (nth [] (nth [] k h0) j) in
     map0 (fun j ->
       (dot (key j) (padded m (nth [] bQ h0))) :: (map0 (fun i ->
                                                    dot (key j)
                                                      (padded m
                                                        (nth [] (nth [] q h0)
                                                          i))) ds)) ds
   | Combined (_, w) ->
     map0 (fun j -> padded s.top_problem.d (nth [] (nth [] w h0) j)) ds
   | Projected _ -> [])

(** val different_heads : layer_stack -> layer -> Bigint.t list list list **)

let different_heads s l =
  distinct equal_rows
    (map0 (fun h0 -> head_form_rows s l h0)
      (iota Bigint.zero s.top_problem.h))

(** val with_last : layer_stack -> layer -> layer_stack **)

let with_last s l =
  { top_problem = (with_layer s.top_problem l); q_hidden = s.q_hidden;
    hidden_rows = s.hidden_rows; befores = s.befores; example_rows =
    s.example_rows; example_tokens = s.example_tokens }

type free_parameter =
| KeyAt of Bigint.t * Bigint.t * Bigint.t * Bigint.t
| QueryAt of Bigint.t * Bigint.t * Bigint.t * Bigint.t
| ValueAt of Bigint.t * Bigint.t * Bigint.t * Bigint.t

(** val width_at : earlier_head list -> Bigint.t -> Bigint.t **)

let width_at heads k =
  nth Bigint.zero (map0 (fun g -> g.earlier_width) heads) k

(** val minus :
    (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t) -> Bigint.t * Bigint.t **)

let minus x y =
  ((Z.sub (fst x) (snd y)), (Z.sub (snd x) (fst y)))

(** val row_with :
    Bigint.t -> Bigint.t -> (Bigint.t * Bigint.t) -> (Bigint.t * Bigint.t)
    list **)

let row_with w j x =
  map0 (fun b -> if eqn b j then x else (Bigint.zero, Bigint.zero))
    (iota Bigint.zero w)

(** val sum_iv :
    (Bigint.t * Bigint.t) list -> (Bigint.t * Bigint.t) list list ->
    (Bigint.t * Bigint.t) list **)

let sum_iv start vs =
  foldr add_iv start vs

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

(** val no_head : earlier_head **)

let no_head =
  { earlier_width = Bigint.zero; q_earlier_key = Bigint.one; earlier_key =
    []; q_earlier_query = Bigint.one; earlier_query = []; q_earlier_value =
    Bigint.one; earlier_value = [] }

(** val nothing_seen : seen **)

let nothing_seen =
  { inner = []; seen_along = []; seen_alpha = []; seen_mean = [] }

(** val layer_of : free_parameter -> Bigint.t **)

let layer_of = function
| KeyAt (l, _, _, _) -> l
| QueryAt (l, _, _, _) -> l
| ValueAt (l, _, _, _) -> l

(** val look :
    Bigint.t -> precision -> digit list -> (Bigint.t * Bigint.t) list list ->
    Bigint.t list -> (Bigint.t * Bigint.t) list -> earlier_head -> seen **)

let look d0 p gs rows s y g =
  let w = g.earlier_width in
  let inner0 = iv_mulmx w g.q_earlier_query g.earlier_query y in
  let seen_along0 =
    iv_mulmx d0 g.q_earlier_key (transposed w g.earlier_key) inner0
  in
  let tokens0 = iv_tokens rows s in
  let alpha = iv_softmax p gs (map0 (fun x -> iv_dot p x seen_along0) tokens0)
  in
  { inner = inner0; seen_along = seen_along0; seen_alpha = alpha; seen_mean =
  (iv_combination p d0 alpha tokens0) }

(** val to_values :
    Bigint.t -> earlier_head -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list **)

let to_values e g =
  iv_mulmx e g.q_earlier_value g.earlier_value

(** val mean_motion :
    Bigint.t -> precision -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list list -> (Bigint.t * Bigint.t) list ->
    (Bigint.t * Bigint.t) list **)

let mean_motion d0 p c tokens0 l =
  let m = iv_dot p c l in
  iv_combination p d0
    (map0 (fun x -> iv_times p (fst x) (minus (snd x) m)) (zip c l)) tokens0

(** val carried :
    Bigint.t -> precision -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
    (Bigint.t * Bigint.t) list list -> Bigint.t list -> (Bigint.t * Bigint.t)
    list -> seen -> earlier_head -> (Bigint.t * Bigint.t) list **)

let carried d0 p e rows moved s dy v g =
  let w = g.earlier_width in
  let tokens0 = iv_tokens rows s in
  let moving = iv_tokens moved s in
  let du =
    iv_mulmx d0 g.q_earlier_key (transposed w g.earlier_key)
      (iv_mulmx w g.q_earlier_query g.earlier_query dy)
  in
  let l =
    map0 (fun x ->
      plus (iv_dot p (snd x) v.seen_along) (iv_dot p (fst x) du))
      (zip tokens0 moving)
  in
  to_values e g
    (add_iv (mean_motion d0 p v.seen_alpha tokens0 l)
      (iv_combination p d0 v.seen_alpha moving))

(** val begun :
    Bigint.t -> precision -> Bigint.t -> (Bigint.t * Bigint.t) list list ->
    Bigint.t list -> (Bigint.t * Bigint.t) list -> seen -> earlier_head ->
    Bigint.t -> Bigint.t -> free_parameter -> (Bigint.t * Bigint.t) list **)

let begun d0 p e rows s y v g l k par =
  let w = g.earlier_width in
  let zero0 = nseq e (Bigint.zero, Bigint.zero) in
  let by_direction = fun du ->
    let tokens0 = iv_tokens rows s in
    to_values e g
      (mean_motion d0 p v.seen_alpha tokens0
        (map0 (fun x -> iv_dot p x du) tokens0))
  in
  (match par with
   | KeyAt (l', k', i, j) ->
     if (&&) (eqn l l') (eqn k k')
     then by_direction
            (row_with d0 i (nth (Bigint.zero, Bigint.zero) v.inner j))
     else zero0
   | QueryAt (l', k', i, j) ->
     if (&&) (eqn l l') (eqn k k')
     then by_direction
            (iv_mulmx d0 g.q_earlier_key (transposed w g.earlier_key)
              (row_with w j (nth (Bigint.zero, Bigint.zero) y i)))
     else zero0
   | ValueAt (l', k', i, j) ->
     if (&&) (eqn l l') (eqn k k')
     then row_with e j (nth (Bigint.zero, Bigint.zero) v.seen_mean i)
     else zero0)

(** val own_of :
    layer_form -> (Bigint.t * Bigint.t) list list -> Bigint.t ->
    (Bigint.t * Bigint.t) list **)

let own_of f rows i =
  nth [] rows (nth Bigint.zero f.owns i)

(** val kept_of :
    layer_form -> (Bigint.t * Bigint.t) list list -> Bigint.t ->
    (Bigint.t * Bigint.t) list **)

let kept_of f rows i =
  if f.keeps
  then own_of f rows i
  else nseq f.across (Bigint.zero, Bigint.zero)

(** val by_heads :
    layer_form -> (Bigint.t -> earlier_head -> (Bigint.t * Bigint.t) list) ->
    (Bigint.t * Bigint.t) list list **)

let by_heads f f0 =
  map0 (fun k -> f0 k (nth no_head f.heads_at k))
    (iota Bigint.zero (size0 f.heads_at))

(** val look_all :
    Bigint.t -> precision -> digit list -> layer_form ->
    (Bigint.t * Bigint.t) list list -> seen list list **)

let look_all d0 p gs f rows =
  map0 (fun i ->
    map0 (fun g ->
      look d0 p gs rows (nth [] f.lists_at i) (own_of f rows i) g) f.heads_at)
    (iota Bigint.zero (size0 f.owns))

(** val outs : stage -> (Bigint.t * Bigint.t) list list **)

let outs st =
  let f = st.of_form in
  map0 (fun i ->
    let vs = nth [] st.looks i in
    sum_iv (kept_of f st.rows_in i)
      (by_heads f (fun k g ->
        to_values f.across g (nth nothing_seen vs k).seen_mean)))
    (iota Bigint.zero (size0 f.owns))

(** val moved_rows :
    Bigint.t -> precision -> stage -> Bigint.t -> free_parameter ->
    (Bigint.t * Bigint.t) list list option -> (Bigint.t * Bigint.t) list list
    option **)

let moved_rows d0 p st l par dx =
  let f = st.of_form in
  let e = f.across in
  let rows = st.rows_in in
  (match dx with
   | Some moved ->
     Some
       (map0 (fun i ->
         let vs = nth [] st.looks i in
         let s = nth [] f.lists_at i in
         sum_iv (kept_of f moved i)
           (by_heads f (fun k g ->
             carried d0 p e rows moved s (own_of f moved i)
               (nth nothing_seen vs k) g))) (iota Bigint.zero (size0 f.owns)))
   | None ->
     if eqn l (layer_of par)
     then Some
            (map0 (fun i ->
              let vs = nth [] st.looks i in
              let s = nth [] f.lists_at i in
              sum_iv (nseq e (Bigint.zero, Bigint.zero))
                (by_heads f (fun k g ->
                  begun d0 p e rows s (own_of f rows i)
                    (nth nothing_seen vs k) g l k par)))
              (iota Bigint.zero (size0 f.owns)))
     else None)

(** val stages :
    Bigint.t -> precision -> digit list -> (Bigint.t * Bigint.t) list list ->
    layer_form list -> stage list * (Bigint.t * Bigint.t) list list **)

let rec stages d0 p gs rows = function
| [] -> ([], rows)
| f :: fs' ->
  let st = { of_form = f; rows_in = rows; looks = (look_all d0 p gs f rows) }
  in
  let r = stages d0 p gs (outs st) fs' in ((st :: (fst r)), (snd r))

(** val motion_through :
    Bigint.t -> precision -> stage list -> Bigint.t -> free_parameter ->
    (Bigint.t * Bigint.t) list list option -> (Bigint.t * Bigint.t) list list
    option **)

let rec motion_through d0 p sts l par dx =
  match sts with
  | [] -> dx
  | st :: sts' ->
    motion_through d0 p sts' (Bigint.succ l) par (moved_rows d0 p st l par dx)

(** val fitting : earlier -> earlier_head list -> bool **)

let fitting b hs =
  match b with
  | EarlierAttention (_, _, heads) ->
    eq_op (seq_eqType nat_eqType)
      (Obj.magic map0 (fun g -> g.earlier_width) hs)
      (Obj.magic map0 (fun g -> g.earlier_width) heads)
  | _ -> false

(** val form_of :
    Bigint.t -> Bigint.t -> earlier -> earlier_head list -> layer_form **)

let form_of d0 n0 b hs =
  match b with
  | EarlierAttention (residual0, lists, _) ->
    { keeps = residual0; across = d0; owns = (iota Bigint.zero n0);
      lists_at = lists; heads_at = hs }
  | _ ->
    { keeps = false; across = d0; owns = []; lists_at = []; heads_at = [] }

(** val iv_free_J :
    layer_stack -> earlier_head list list -> earlier_head list -> precision
    -> (Bigint.t * Bigint.t) list -> free_parameter list ->
    (Bigint.t * Bigint.t) list list **)

let iv_free_J s ws last0 p rows pars =
  let d0 = s.top_problem in
  let gs = digits_of p in
  let n0 = size0 s.hidden_rows in
  let f = { keeps = false; across = d0.d_out; owns = s.example_rows;
    lists_at = s.example_tokens; heads_at = last0 }
  in
  let sts =
    stages d0.d p gs (iv_given s p)
      (map0 (fun x -> form_of d0.d n0 (fst x) (snd x)) (zip s.befores ws))
  in
  let st = { of_form = f; rows_in = (snd sts); looks =
    (look_all d0.d p gs f (snd sts)) }
  in
  map0 (fun par ->
    let moved =
      Option.default []
        (moved_rows d0.d p st (size0 s.befores) par
          (motion_through d0.d p (fst sts) Bigint.zero par None))
    in
    map0 (fun r ->
      nth (Bigint.zero, Bigint.zero) (nth [] moved (fst r)) (snd r)) rows)
    pars

(** val free_J_ok :
    layer_stack -> earlier_head list list -> earlier_head list -> Bigint.t ->
    (Bigint.t * Bigint.t) list -> free_parameter list -> Bigint.t -> Bigint.t
    list list -> bool **)

let free_J_ok s ws last0 bits rows pars q v =
  let d0 = s.top_problem in
  let n0 = size0 s.hidden_rows in
  let k = size0 rows in
  let p = precision_of bits in
  (&&)
    ((&&)
      ((&&)
        (eq_op nat_eqType (Obj.magic size0 ws) (Obj.magic size0 s.befores))
        (all (fun x -> fitting (fst x) (snd x)) (zip s.befores ws)))
      ((&&)
        ((&&) (eq_op nat_eqType (Obj.magic size0 last0) (Obj.magic d0.h))
          (all (fun g ->
            eq_op nat_eqType (Obj.magic g.earlier_width) (Obj.magic d0.d_h))
            last0))
        ((&&)
          (all (fun b ->
            match b with
            | EarlierAttention (_, lists, _) -> rows_inside n0 lists
            | _ -> false) s.befores)
          ((&&)
            ((&&)
              (eq_op nat_eqType (Obj.magic size0 s.example_rows)
                (Obj.magic d0.t))
              ((&&) (all (fun j -> leq (Bigint.succ j) n0) s.example_rows)
                (rows_inside n0 s.example_tokens)))
            ((&&)
              (all (fun r ->
                (&&) (leq (Bigint.succ (fst r)) d0.t)
                  (leq (Bigint.succ (snd r)) d0.d_out)) rows)
              ((&&) (eq_op nat_eqType (Obj.magic size0 pars) (Obj.magic k))
                (sizes_are k k v)))))))
    (let one0 =
       Z.mul ((fun p -> p) q) ((fun p -> p)
         (Coq_Pos.mul ((fun p -> Bigint.shift_left p 1) Bigint.one)
           (denominator p)))
     in
     all (fun x -> Z.ltb x one0)
       (defects_of k one0 (iv_free_J s ws last0 p rows pars)
         (nseq k ((fun p -> p) Bigint.one)) v))

(** val pivots :
    Bigint.word -> Bigint.word array option list -> Bigint.word array list ->
    Bigint.word array option list option **)

let rec pivots p b = function
| [] -> Some b
| r :: m' ->
  (match insert_row p [] b r with
   | Some b' -> pivots p b' m'
   | None -> None)

(** val free_with_each :
    Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t list list -> bool **)

let free_with_each p n0 m rs =
  if fits_word p (Bigint.succ n0)
  then (match pivots (ofZ p) (nseq n0 None)
                (map0 (fun r -> Array.of_list (residues p r)) m) with
        | Some b ->
          all (fun r ->
            match insert_row (ofZ p) [] b (Array.of_list (residues p r)) with
            | Some _ -> true
            | None -> false) rs
        | None -> false)
  else all (fun r -> free_exact p n0 (rcons m r)) rs

(** val row_images :
    problem -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t ->
    (Bigint.t * Bigint.t) list -> Bigint.t list list option **)

let row_images d0 l a p g o cols =
  let blocks0 =
    blocks_mod d0 l a p g o (reader_of d0 l a p g o (heads_in cols))
  in
  let ws = column_words cols in
  all_some (fun t0 -> Option.map (entries_at cols ws) (blocks0 t0))
    (iota Bigint.zero d0.t)

(** val conflict_ok :
    arguments -> Bigint.t list -> (Bigint.t list * Bigint.t) list ->
    (Bigint.t * Bigint.t list) -> bool **)

let conflict_ok c set parts x =
  (&&)
    (all (fun s ->
      (&&)
        (in_mem (Obj.magic s) (mem (seq_predType nat_eqType) (Obj.magic set)))
        (before c s (fst x))) (snd x))
    (has (fun part0 ->
      (&&)
        (in_mem (fst (Obj.magic x))
          (mem (seq_predType nat_eqType) (fst (Obj.magic part0))))
        (Z.leb (snd part0)
          (Z.of_nat
            (count (fun s ->
              in_mem (Obj.magic s)
                (mem (seq_predType nat_eqType) (snd (Obj.magic x))))
              (fst part0))))) parts)

(** val circuits_ok :
    problem -> arguments -> layer -> bool -> Bigint.t -> Bigint.t -> Bigint.t
    -> (Bigint.t * Bigint.t) list -> Bigint.t list -> (Bigint.t * Bigint.t
    list) list -> (Bigint.t list * Bigint.t) list -> bool **)

let circuits_ok d0 c l a p g o cols set conflicts parts =
  (&&) (wf_problem d0)
    ((&&) (wf_layer d0 l)
      ((&&) (in_shape d0 l)
        ((&&) (Z.ltb ((fun p -> p) Bigint.one) p)
          ((&&)
            ((&&) (order_ok p g o)
              ((&&) (residue_ok d0 l a p g)
                (all (fun c0 ->
                  (&&) (leq (Bigint.succ (fst c0)) d0.h)
                    (leq (Bigint.succ (snd c0)) d0.d)) cols)))
            ((&&)
              (perm_eq nat_eqType
                (cat (Obj.magic set)
                  (map0 (fun x -> fst (Obj.magic x)) conflicts))
                (Obj.magic iota Bigint.zero d0.t))
              ((&&) (all (conflict_ok c set parts) conflicts)
                (match row_images d0 l a p g o cols with
                 | Some m ->
                   (&&)
                     (free_mod p (size0 cols)
                       (map0 (fun t0 -> nth [] m t0) set))
                     (all (fun s ->
                       free_with_each p (size0 cols)
                         (map0 (fun t0 -> nth [] m (Obj.magic t0))
                           (rem nat_eqType (Obj.magic s) (Obj.magic set)))
                         (map0 (fun x -> nth [] m (fst x))
                           (filter (fun x ->
                             in_mem (Obj.magic s)
                               (mem (seq_predType nat_eqType)
                                 (snd (Obj.magic x)))) conflicts))) set)
                 | None -> false)))))))

(** val zero_row : Bigint.t list -> bool **)

let zero_row r =
  all (fun x -> Z.eqb x Bigint.zero) r

(** val annihilates : problem -> Bigint.t list -> bool **)

let annihilates d0 k =
  (&&) (eq_op nat_eqType (Obj.magic size0 k) (Obj.magic d0.t))
    ((&&) (Z.eqb (total k) Bigint.zero)
      ((&&) (zero_row (combination d0.d k d0.queries))
        ((||) (shared d0)
          (all (fun i ->
            zero_row
              (combination d0.d k (map0 (fun c -> nth [] c i) (contexts d0))))
            (iota Bigint.zero d0.n)))))

type neuron = { on_context : Bigint.t list list; on_query : Bigint.t list;
                neuron_bias : Bigint.t; output : Bigint.t }

(** val dot_rows : Bigint.t list list -> Bigint.t list list -> Bigint.t **)

let rec dot_rows a b =
  match a with
  | [] -> Bigint.zero
  | x :: a' ->
    (match b with
     | [] -> Bigint.zero
     | y :: b' -> Z.add (dot x y) (dot_rows a' b'))

(** val before_relu : problem -> neuron -> Bigint.t -> Bigint.t **)

let before_relu d0 x t0 =
  Z.add
    (Z.add
      (Z.mul (dot_rows x.on_context (context_at d0 t0)) ((fun p -> p)
        d0.q_queries))
      (Z.mul (dot x.on_query (nth [] d0.queries t0)) ((fun p -> p)
        d0.q_contexts)))
    (Z.mul x.neuron_bias ((fun p -> p)
      (Coq_Pos.mul d0.q_contexts d0.q_queries)))

(** val network_ok :
    problem -> arguments -> Bigint.t -> Bigint.t -> neuron list -> Bigint.t
    -> bool **)

let network_ok d0 c qw qa net bias =
  (&&) (eq_op nat_eqType (Obj.magic size0 net) (Obj.magic c.neurons))
    ((&&) ((||) c.output_bias (Z.eqb bias Bigint.zero))
      ((&&)
        (all (fun x ->
          (&&)
            (eq_op nat_eqType (Obj.magic size0 x.on_context) (Obj.magic d0.n))
            ((&&) (all (fun r -> leq (size0 r) d0.d) x.on_context)
              (leq (size0 x.on_query) d0.d))) net)
        (all (fun t0 ->
          Z.eqb
            (Z.mul
              (Z.add
                (foldr (fun x s ->
                  Z.add
                    (Z.mul x.output
                      (Z.max (Obj.magic GRing.zero ZInstances.coq_Z_zmodType)
                        (before_relu d0 x t0))) s) Bigint.zero net)
                (Z.mul bias ((fun p -> p)
                  (Coq_Pos.mul qw (Coq_Pos.mul d0.q_contexts d0.q_queries)))))
              ((fun p -> p) d0.q_labels))
            (Z.mul (ent d0.labels t0 Bigint.zero) ((fun p -> p)
              (Coq_Pos.mul qa
                (Coq_Pos.mul qw (Coq_Pos.mul d0.q_contexts d0.q_queries))))))
          (iota Bigint.zero d0.t))))

type tree =
| Leaf of Bigint.t list * Bigint.t list list * Bigint.t list
| Branch of Bigint.t * Bigint.t * tree * tree

(** val decided :
    ((Bigint.t * Bigint.t) * bool) list -> Bigint.t -> Bigint.t -> bool ->
    bool **)

let decided path j t0 b =
  has (fun x ->
    (&&) (eqn (fst (fst x)) j)
      ((&&) (eqn (snd (fst x)) t0) (if b then snd x else negb (snd x)))) path

(** val add_first : Bigint.t -> Bigint.t list -> Bigint.t list **)

let add_first z0 = function
| [] -> []
| x :: r' -> (Z.add x z0) :: r'

(** val factor_ok :
    Bigint.t -> ((Bigint.t * Bigint.t) * bool) list -> Bigint.t list ->
    Bigint.t -> Bigint.t list -> Bigint.t -> bool **)

let factor_ok p path lambda j nu t0 =
  let most0 =
    if leq (Bigint.succ j) p
    then Z.opp (nth Bigint.zero lambda t0)
    else nth Bigint.zero lambda t0
  in
  (&&)
    ((||) (decided path j t0 true)
      (Z.leb Bigint.zero (nth Bigint.zero nu t0)))
    ((||) (decided path j t0 false) (Z.leb (nth Bigint.zero nu t0) most0))

(** val leaf_ok :
    problem -> arguments -> Bigint.t -> ((Bigint.t * Bigint.t) * bool) list
    -> Bigint.t list -> Bigint.t list list -> Bigint.t list -> bool **)

let leaf_ok d0 c p path lambda nu rho =
  (&&) (eq_op nat_eqType (Obj.magic size0 lambda) (Obj.magic d0.t))
    ((&&) (Z.ltb Bigint.zero (dot lambda (col Bigint.zero d0.labels)))
      ((&&) ((||) (negb c.output_bias) (Z.eqb (total lambda) Bigint.zero))
        ((&&) (leq (Bigint.succ (size0 rho)) c.neurons)
          ((&&)
            (all (fun j ->
              (&&) (Z.leb Bigint.zero (nth Bigint.zero rho j))
                ((||) (Z.eqb (nth Bigint.zero rho j) Bigint.zero)
                  (eqb0 (leq (Bigint.succ j) p)
                    (leq (Bigint.succ (Bigint.succ j)) p))))
              (iota Bigint.zero (pred c.neurons)))
            (all (fun j ->
              (&&)
                (all (factor_ok p path lambda j (nth [] nu j))
                  (iota Bigint.zero d0.t))
                (annihilates d0
                  (add_first
                    (Z.sub (nth Bigint.zero (Bigint.zero :: rho) j)
                      (nth Bigint.zero rho j)) (nth [] nu j))))
              (iota Bigint.zero c.neurons))))))

(** val tree_ok :
    problem -> arguments -> Bigint.t -> ((Bigint.t * Bigint.t) * bool) list
    -> tree -> bool **)

let rec tree_ok d0 c p path = function
| Leaf (lambda, nu, rho) -> leaf_ok d0 c p path lambda nu rho
| Branch (j, t0, active, inactive) ->
  (&&) (leq (Bigint.succ j) c.neurons)
    ((&&) (leq (Bigint.succ t0) d0.t)
      ((&&) (tree_ok d0 c p (((j, t0), true) :: path) active)
        (tree_ok d0 c p (((j, t0), false) :: path) inactive)))

(** val trees_ok : problem -> arguments -> tree list -> bool **)

let trees_ok d0 c trees =
  (&&) (leq (Bigint.succ Bigint.zero) c.neurons)
    ((&&)
      (eq_op nat_eqType (Obj.magic size0 trees)
        (Obj.magic (Bigint.succ c.neurons)))
      (all (fun k -> tree_ok d0 c k [] (nth (Leaf ([], [], [])) trees k))
        (iota Bigint.zero (Bigint.succ c.neurons))))

(** val schur :
    Bigint.t -> Bigint.t list -> Bigint.t list list -> Bigint.t list list **)

let schur a r rows =
  map0 (fun x ->
    map0 (fun y -> Z.sub (Z.mul a (fst y)) (Z.mul (fst x) (snd y)))
      (zip (snd x) r)) (zip r rows)

(** val semidefinite_from : Bigint.t -> Bigint.t list list -> bool **)

let rec semidefinite_from m n0 =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> match n0 with
              | [] -> true
              | _ :: _ -> false)
    (fun m' ->
    match n0 with
    | [] -> false
    | l :: n' ->
      (match l with
       | [] -> false
       | a :: r ->
         let rows = map0 behead n' in
         (&&)
           (equal_row r (map0 (fun s -> nth Bigint.zero s Bigint.zero) n'))
           ((&&)
             (all (fun s ->
               eq_op nat_eqType (Obj.magic size0 s) (Obj.magic size0 r)) rows)
             ((&&) (Z.leb Bigint.zero a)
               (if Z.eqb a Bigint.zero
                then (&&) (all (fun x -> Z.eqb x Bigint.zero) r)
                       (semidefinite_from m' rows)
                else semidefinite_from m' (schur a r rows))))))
    m

(** val semidefinite : Bigint.t list list -> bool **)

let semidefinite n0 =
  semidefinite_from (size0 n0) n0

(** val form_value : Bigint.t list list -> Bigint.t list -> Bigint.t **)

let form_value n0 x =
  dot x (map0 (fun r -> dot r x) n0)

(** val tabulate :
    Bigint.t -> Bigint.t -> (Bigint.t -> Bigint.t -> Bigint.t) -> Bigint.t
    list list **)

let tabulate h0 w f =
  map0 (fun i -> map0 (fun j -> f i j) (iota Bigint.zero w))
    (iota Bigint.zero h0)

(** val gram : Bigint.t list list -> Bigint.t list list **)

let gram m =
  map0 (fun s -> map0 (fun t0 -> dot s t0) m) m

(** val difference : arguments -> Bigint.t list list **)

let difference c =
  tabulate (size0 c.matrix_a) (width c.matrix_a) (fun i j ->
    Z.sub (ent c.matrix_a i j) (ent c.matrix_b i j))

(** val gram_a : arguments -> Bigint.t list list **)

let gram_a c =
  gram
    (columns (width c.matrix_a)
      (tabulate (size0 c.matrix_a) (width c.matrix_a) (ent c.matrix_a)))

(** val distance_form :
    arguments -> Bigint.t -> Bigint.t -> Bigint.t list list **)

let distance_form c p r =
  let g = gram (difference c) in
  tabulate (size0 c.matrix_a) (size0 c.matrix_a) (fun i j ->
    Z.sub
      (if eqn i j
       then Z.mul p
              (Z.mul ((fun p -> p) c.q_matrices) ((fun p -> p) c.q_matrices))
       else Bigint.zero) (Z.mul ((fun p -> p) r) (ent g i j)))

(** val singular_form :
    arguments -> Bigint.t -> Bigint.t -> Bigint.t list list **)

let singular_form c p r =
  let g = gram_a c in
  let g2 = gram g in
  tabulate (width c.matrix_a) (width c.matrix_a) (fun i j ->
    Z.sub (Z.mul ((fun p -> p) r) (ent g2 i j))
      (Z.mul
        (Z.mul p
          (Z.mul ((fun p -> p) c.q_matrices) ((fun p -> p) c.q_matrices)))
        (ent g i j)))

(** val small_ok : arguments -> Bigint.t -> Bigint.t -> Bigint.t -> bool **)

let small_ok c s s' r =
  (&&) (Z.ltb s' s)
    ((&&) (semidefinite (distance_form c s' r))
      (semidefinite (singular_form c s r)))

(** val large_ok :
    arguments -> Bigint.t -> Bigint.t -> Bigint.t list -> Bigint.t list ->
    bool **)

let large_ok c p r x y =
  (&&) (eq_op nat_eqType (Obj.magic size0 x) (Obj.magic size0 c.matrix_a))
    ((&&) (eq_op nat_eqType (Obj.magic size0 y) (Obj.magic width c.matrix_a))
      ((&&) (Z.ltb Bigint.zero (dot x x))
        ((&&) (Z.leb (form_value (distance_form c p r) x) Bigint.zero)
          ((&&) (Z.ltb Bigint.zero (form_value (gram_a c) y))
            (Z.leb (form_value (singular_form c p r) y) Bigint.zero)))))

(** val wf_subset : problem -> arguments -> bool **)

let wf_subset d0 c =
  all (fun t0 -> leq (Bigint.succ t0) d0.t) c.subset

(** val wf_coefficients : problem -> arguments -> bool **)

let wf_coefficients d0 c =
  all (fun k ->
    let r = nth [] c.coefficients k in
    (&&) (eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.n))
      ((&&) (all (fun x -> Z.ltb Bigint.zero x) r)
        (Z.eqb (total r) ((fun p -> p) c.q_coefficients))))
    (iota Bigint.zero (size0 c.subset))

type inverses = { q_right : Bigint.t; right : Bigint.t list list list;
                  q_left : Bigint.t; left : Bigint.t list list }

(** val is_scalar :
    Bigint.t -> Bigint.t -> (Bigint.t -> Bigint.t -> Bigint.t) -> bool **)

let is_scalar m q f =
  all (fun i ->
    all (fun j -> Z.eqb (f i j) (if eqn i j then q else Bigint.zero))
      (iota Bigint.zero m)) (iota Bigint.zero m)

(** val context_of_member :
    problem -> arguments -> Bigint.t -> Bigint.t list list **)

let context_of_member d0 c k =
  context_at d0 (nth Bigint.zero c.subset k)

(** val query_of_member :
    problem -> arguments -> Bigint.t -> Bigint.t list **)

let query_of_member d0 c k =
  nth [] d0.queries (nth Bigint.zero c.subset k)

(** val right_ok : problem -> arguments -> inverses -> Bigint.t -> bool **)

let right_ok d0 c v k =
  let c0 = context_of_member d0 c k in
  let x = nth [] v.right k in
  (&&) (eq_op nat_eqType (Obj.magic size0 x) (Obj.magic d0.n))
    ((&&)
      (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.d)) x)
      (is_scalar d0.n ((fun p -> p) (Coq_Pos.mul d0.q_contexts v.q_right))
        (fun i j -> dot (nth [] c0 i) (nth [] x j))))

(** val inverses_ok : problem -> arguments -> inverses -> Bigint.t -> bool **)

let inverses_ok d0 c v most0 =
  let s = size0 c.subset in
  (&&) (wf_subset d0 c)
    ((&&) (leq s most0)
      ((&&) (eq_op nat_eqType (Obj.magic size0 v.right) (Obj.magic s))
        ((&&) (eq_op nat_eqType (Obj.magic size0 v.left) (Obj.magic s))
          ((&&)
            (all (fun r ->
              eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.d)) v.left)
            ((&&) (all (right_ok d0 c v) (iota Bigint.zero s))
              (is_scalar s ((fun p -> p) (Coq_Pos.mul v.q_left d0.q_queries))
                (fun k j -> dot (nth [] v.left k) (query_of_member d0 c j))))))))

(** val weights_ok : problem -> arguments -> inverses -> bool **)

let weights_ok d0 c v =
  (&&) (wf_coefficients d0 c) (inverses_ok d0 c v (minn d0.n d0.d_h))

(** val non_zero_row : Bigint.t list -> bool **)

let non_zero_row r =
  has (fun x -> negb (Z.eqb x Bigint.zero)) r

(** val entries_of :
    problem -> Bigint.t list -> Bigint.t list -> Bigint.t -> Bigint.t list **)

let entries_of d0 u v t0 =
  let w = dot v (nth [] d0.queries t0) in
  map0 (fun r -> Z.mul (dot r u) w) (context_at d0 t0)

(** val separated_at :
    problem -> arguments -> Bigint.t list -> Bigint.t list -> Bigint.t -> bool **)

let separated_at d0 c u v t0 =
  if has (eqn t0) c.subset
  then Z.eqb (dot v (nth [] d0.queries t0)) Bigint.zero
  else eqn (equal_pairs (entries_of d0 u v t0)) Bigint.zero

(** val separated :
    problem -> arguments -> Bigint.t list -> Bigint.t list -> bool **)

let separated d0 c u v =
  (&&) (eq_op nat_eqType (Obj.magic size0 u) (Obj.magic d0.d))
    ((&&) (eq_op nat_eqType (Obj.magic size0 v) (Obj.magic d0.d))
      (all (separated_at d0 c u v) (iota Bigint.zero d0.t)))

(** val separator_ok :
    problem -> arguments -> Bigint.t list -> Bigint.t list -> bool **)

let separator_ok d0 c u v =
  (&&) (separated d0 c u v) ((&&) (non_zero_row u) (non_zero_row v))

(** val exp_above : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t **)

let exp_above k a b =
  let k0 = Z.of_nat k in
  let x = Z.min a (Z.mul k0 b) in
  let m =
    addn (Z.to_nat (Z.log2 k0)) (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ
      Bigint.zero))))))))))))))))))))))))))))))))))))))))
  in
  let q = Z.mul b ((fun p -> p) (two_power m)) in
  iter0 m (fun y -> shift_up k (Z.mul y y))
    (ceil_div
      (Z.mul ((fun p -> p) (two_power k))
        (Z.add
          (Z.sub
            (Z.mul
              (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
                Bigint.one)) q) q)
            (Z.mul
              (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1)
                Bigint.one)) q) x)) (Z.mul x x)))
      (Z.mul
        (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one)) q)
        q))

(** val power_above :
    bool -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t ->
    Bigint.t **)

let power_above two k k0 l a b =
  if two
  then let j = Z.div a b in
       let r = Z.sub a (Z.mul j b) in
       if Z.ltb (Z.of_nat k) j
       then (fun p -> p) Bigint.one
       else let i = Z.to_nat j in
            if Z.eqb r Bigint.zero
            then (fun p -> p) (two_power (subn k i))
            else shift_up i
                   (exp_above k (Z.mul r l) (Z.mul b ((fun p -> p) k0)))
  else exp_above k a b

(** val bits_for : arguments -> Bigint.t **)

let bits_for c =
  addn (Z.to_nat (Z.log2 ((fun p -> p) c.epsilon_den))) (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ
    Bigint.zero))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

(** val log_precision : precision **)

let log_precision =
  precision_of (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
    Bigint.zero))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))

(** val log_two_low : bool -> Bigint.t **)

let log_two_low = function
| true ->
  fst
    (log_two log_precision (digits_of log_precision) (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ (Bigint.succ
      (Bigint.succ (Bigint.succ (Bigint.succ
      Bigint.zero)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
| false -> Bigint.zero

(** val power_bound :
    problem -> arguments -> Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t **)

let power_bound d0 c l a b =
  power_above d0.base_two (bits_for c) (denominator log_precision) l a b

(** val is_near : arguments -> Bigint.t -> bool **)

let is_near c sum0 =
  Z.leb
    (Z.mul
      (Z.mul ((fun p -> p) ((fun p -> Bigint.shift_left p 1) Bigint.one))
        ((fun p -> p) c.epsilon_den)) sum0)
    (Z.mul ((fun p -> p) c.epsilon_num) ((fun p -> p)
      (two_power (bits_for c))))

(** val vertex_ok :
    problem -> arguments -> Bigint.t -> Bigint.t -> Bigint.t -> bool **)

let vertex_ok d0 c v p q =
  let x = separated_entries d0 c in
  let y = image_entries d0 c.w_star c.example in
  let gap = fun i -> Z.sub (nth Bigint.zero x v) (nth Bigint.zero x i) in
  let fall = fun i ->
    Z.sub (Z.mul ((fun p -> p) (Coq_Pos.mul p c.q_star)) (gap i))
      (Z.mul ((fun p -> p) (Coq_Pos.mul q c.q_prime))
        (Z.sub (nth Bigint.zero y i) (nth Bigint.zero y v)))
  in
  let l = log_two_low d0.base_two in
  let b = (fun p -> p)
    (Coq_Pos.mul
      (Coq_Pos.mul (Coq_Pos.mul d0.q_contexts d0.q_queries)
        (Coq_Pos.mul c.q_star c.q_prime)) q)
  in
  (&&) (leq (Bigint.succ c.example) d0.t)
    ((&&) (leq (Bigint.succ v) d0.n)
      ((&&)
        ((&&) (eq_op nat_eqType (Obj.magic size0 c.w_prime) (Obj.magic d0.d))
          (all (fun r ->
            eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.d)) c.w_prime))
        ((&&)
          ((&&)
            (eq_op nat_eqType (Obj.magic size0 c.w_star) (Obj.magic d0.d))
            (all (fun r ->
              eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.d)) c.w_star))
          ((&&)
            (all (fun i -> (||) (eqn i v) (Z.ltb Bigint.zero (gap i)))
              (iota Bigint.zero d0.n))
            (is_near c
              (total_of
                (map0 (fun i ->
                  if eqn i v
                  then Bigint.zero
                  else power_bound d0 c l
                         (Z.max
                           (Obj.magic GRing.zero ZInstances.coq_Z_zmodType)
                           (fall i)) b) (iota Bigint.zero d0.n))))))))

(** val log_bits : Bigint.t -> Bigint.t -> Bigint.t **)

let log_bits q x =
  Z.add (Z.log2 (Z.div q (Z.gcd x q))) ((fun p -> p) Bigint.one)

(** val extent : Bigint.t list -> Bigint.t **)

let extent l =
  Z.add (maximum l) (maximum (map0 Z.opp l))

(** val spread_at :
    problem -> arguments -> inverses -> Bigint.t -> Bigint.t **)

let spread_at d0 c v t0 =
  total_of
    (map0 (fun k ->
      Z.mul (Z.abs (dot (nth [] v.left k) (nth [] d0.queries t0)))
        (total_of
          (map0 (fun i ->
            Z.mul
              (log_bits ((fun p -> p) c.q_coefficients)
                (ent c.coefficients k i))
              (extent
                (map0 (fun r -> dot r (nth [] (nth [] v.right k) i))
                  (context_at d0 t0)))) (iota Bigint.zero d0.n))))
      (iota Bigint.zero (size0 c.subset)))

(** val separator_gap : Bigint.t list -> Bigint.t **)

let separator_gap x =
  let m = maximum x in
  Z.sub m (maximum (filter (fun y -> negb (Z.eqb y m)) x))

(** val vertex_near_at :
    problem -> arguments -> Bigint.t -> inverses -> Bigint.t list -> Bigint.t
    list -> Bigint.t -> Bigint.t -> Bigint.t -> bool **)

let vertex_near_at d0 c l v u v0 p q t0 =
  if has (eqn t0) c.subset
  then true
  else let g = separator_gap (entries_of d0 u v0 t0) in
       let s = spread_at d0 c v t0 in
       let fall =
         Z.sub
           (Z.mul (Z.mul p ((fun p -> p) (Coq_Pos.mul v.q_right v.q_left))) g)
           (Z.mul ((fun p -> p) q) s)
       in
       let b = (fun p -> p)
         (Coq_Pos.mul
           (Coq_Pos.mul (Coq_Pos.mul d0.q_contexts d0.q_queries)
             (Coq_Pos.mul v.q_right v.q_left)) q)
       in
       is_near c
         (Z.mul (Z.of_nat (pred d0.n))
           (power_bound d0 c l
             (Z.max (Obj.magic GRing.zero ZInstances.coq_Z_zmodType) fall) b))

(** val one_hot_ok :
    problem -> arguments -> inverses -> Bigint.t list -> Bigint.t list ->
    Bigint.t -> Bigint.t -> bool **)

let one_hot_ok d0 c v u v0 p q =
  (&&) (wf_coefficients d0 c)
    ((&&)
      (inverses_ok d0 c v (subn (minn d0.n d0.d_h) (Bigint.succ Bigint.zero)))
      ((&&) (leq (Bigint.succ Bigint.zero) (minn d0.n d0.d_h))
        ((&&) (separated d0 c u v0)
          (let l = log_two_low d0.base_two in
           all (vertex_near_at d0 c l v u v0 p q) (iota Bigint.zero d0.t)))))

type witness =
| CaseTrees of tree list
| Network of Bigint.t * Bigint.t * neuron list * Bigint.t
| Perturbation of Bigint.t * Bigint.t * Bigint.t
| NoPerturbation of Bigint.t * Bigint.t * Bigint.t list * Bigint.t list
| Separator of Bigint.t list * Bigint.t list
| VertexOf of Bigint.t * Bigint.t * Bigint.t
| WeightsOf of inverses
| OneHotOf of inverses * Bigint.t list * Bigint.t list * Bigint.t * Bigint.t

(** val shown : witness -> truth * bool **)

let shown = function
| CaseTrees _ -> ((NetworkFits GivenLabels), false)
| Network (_, _, _, _) -> ((NetworkFits GivenLabels), true)
| Perturbation (_, _, _) -> (SmallPerturbation, true)
| NoPerturbation (_, _, _, _) -> (SmallPerturbation, false)
| Separator (_, _) -> (Separates, true)
| VertexOf (_, _, _) -> (VertexLimit, true)
| WeightsOf _ -> (Prescribed, true)
| OneHotOf (_, _, _, _, _) -> (OneHot, true)

(** val witness_ok : problem -> arguments -> witness -> bool **)

let witness_ok d0 c = function
| CaseTrees trees -> trees_ok d0 c trees
| Network (qw, qa, net, bias) -> network_ok d0 c qw qa net bias
| Perturbation (s, s', r) -> small_ok c s s' r
| NoPerturbation (p, r, x, y) -> large_ok c p r x y
| Separator (u, v) -> separator_ok d0 c u v
| VertexOf (v, p, q) -> vertex_ok d0 c v p q
| WeightsOf v -> weights_ok d0 c v
| OneHotOf (v, u, v0, p, q) -> one_hot_ok d0 c v u v0 p q

(** val basis_of :
    Bigint.word -> Bigint.word array option list -> Bigint.word array list ->
    Bigint.word array option list option **)

let rec basis_of p b = function
| [] -> Some b
| r :: m' ->
  (match insert_row p [] b r with
   | Some b' -> basis_of p b' m'
   | None -> None)

(** val vanish_row :
    Bigint.word -> Bigint.word array list -> Bigint.word array option list ->
    Bigint.word array -> bool **)

let rec vanish_row p us b r =
  match b with
  | [] -> true
  | o :: b' ->
    (match o with
     | Some u -> vanish_row p (u :: us) b' r
     | None ->
       let s = unrow (reduce_rows p (rev us) r) in
       if is_zero (rem0 (head zero s) p)
       then vanish_row p [] b' (Array.of_list (behead s))
       else false)

(** val spanned_ok :
    Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t -> bool **)

let spanned_ok w g n0 p =
  if fits_word p (Bigint.succ w)
  then let word_of = fun r -> Array.of_list (residues p r) in
       (match basis_of (ofZ p) (nseq w None) (map0 word_of g) with
        | Some b -> all (fun r -> vanish_row (ofZ p) [] b (word_of r)) n0
        | None -> false)
  else false

(** val scaled_row :
    Bigint.t -> Bigint.t list -> Bigint.t list -> Bigint.t list -> bool **)

let rec scaled_row a b x y =
  match b with
  | [] ->
    (match x with
     | [] -> (match y with
              | [] -> true
              | _ :: _ -> false)
     | _ :: _ -> false)
  | c :: b' ->
    (match x with
     | [] -> false
     | x0 :: x' ->
       (match y with
        | [] -> false
        | y0 :: y' ->
          if Z.eqb y0 (Z.mul (Z.mul a x0) c)
          then scaled_row a b' x' y'
          else false))

(** val scaled_rows :
    Bigint.t list -> Bigint.t list -> Bigint.t list list -> Bigint.t list
    list -> bool **)

let rec scaled_rows a b n0 m =
  match a with
  | [] ->
    (match n0 with
     | [] -> (match m with
              | [] -> true
              | _ :: _ -> false)
     | _ :: _ -> false)
  | c :: a' ->
    (match n0 with
     | [] -> false
     | x :: n' ->
       (match m with
        | [] -> false
        | y :: m' ->
          if scaled_row c b x y then scaled_rows a' b n' m' else false))

(** val power_Z : Bigint.t -> Bigint.t -> Bigint.t **)

let rec power_Z t0 k =
  (fun fO fS n -> if Bigint.sign n <= 0 then fO () else fS (Bigint.pred n))
    (fun _ -> (fun p -> p) Bigint.one)
    (fun k' -> Z.mul t0 (power_Z t0 k'))
    k

(** val exceeds_bound :
    Bigint.t -> Bigint.t -> Bigint.t list list -> Bigint.t -> bool **)

let exceeds_bound t0 k n0 l =
  (&&) (Z.ltb Bigint.zero t0)
    (Z.ltb
      (foldr (fun r b -> Z.mul (Z.max t0 (dot r r)) b) ((fun p -> p)
        Bigint.one) n0) (Z.mul (Z.mul l l) (power_Z t0 (subn (size0 n0) k))))

(** val hadamard_ok :
    Bigint.t -> Bigint.t list list -> Bigint.t list list -> Bigint.t list ->
    Bigint.t list -> Bigint.t list -> Bigint.t -> bool -> Bigint.t list ->
    bool **)

let hadamard_ok w m n0 a b rows t0 columns0 primes =
  (&&) (scaled_rows a b n0 m)
    ((&&) (eq_op nat_eqType (Obj.magic size0 b) (Obj.magic w))
      ((&&) (all (fun t1 -> leq (Bigint.succ t1) (size0 n0)) rows)
        ((&&)
          (exceeds_bound t0 (Bigint.succ (size0 rows))
            (if columns0
             then map0 (fun j -> col j n0) (iota Bigint.zero w)
             else n0) (foldr Z.lcm ((fun p -> p) Bigint.one) primes))
          (let g = map0 (fun i -> nth [] n0 i) rows in
           all (spanned_ok w g n0) primes))))

(** val affine_bound : quantity expr -> quantity expr **)

let affine_bound n0 =
  Add ((Mul (n0, (Sub ((Qty (RankOf AffineTokens)), (Const ((fun p -> p)
    Bigint.one)))))), (Const ((fun p -> p) Bigint.one)))

(** val tangents : quantity expr **)

let tangents =
  let v = Qty (RankOf Differences) in
  let q = Qty (RankOf Queries) in
  let m = Qty HeadDimension in
  Min ((Qty (RankOf Exponents)), (Add ((Mul ((Min (m, v)), q)), (Mul ((Min
  (m, q)), (Max ((Sub (v, m)), (Const Bigint.zero))))))))

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

(** val conditions : theorem -> layer_name -> quantity comparison0 list **)

let conditions x l =
  match x with
  | SomeWeights ->
    (Equal ((Qty (InShape l)), (Const ((fun p -> p) Bigint.one)))) :: []
  | EqualOutputs ->
    (AtLeast ((Qty (InShape None)), (Const Bigint.zero))) :: []
  | EqualLabelledRows ->
    (AtLeast ((Qty (InShape None)), (Const Bigint.zero))) :: []
  | LabelsBeside ->
    (AtLeast ((Qty (InShape None)), (Const Bigint.zero))) :: ((AtLeast ((Qty
      DistinctLabelled), (Const ((fun p -> p) Bigint.one)))) :: [])
  | ConstantHeads ->
    (Equal ((Qty DistinctContexts), (Const ((fun p -> p) Bigint.one)))) :: []
  | AllLabels ->
    (AtLeast ((Qty Capacity), (Qty Examples))) :: ((AtMost ((Qty
      OutputDimension), (Qty ValueDimension))) :: [])
  | AllLabelsSkip ->
    (AtLeast ((Qty Capacity), (Qty Examples))) :: ((AtMost ((Qty
      OutputDimension), (Min ((Qty ValueDimension), (Qty Dimension))))) :: [])
  | FittedLabels ->
    (AtLeast ((Qty (InShape None)), (Const Bigint.zero))) :: ((AtMost ((Qty
      RankWithLabels), (Qty (RankZ None)))) :: ((AtMost ((Qty
      OutputDimension), (Qty ValueDimension))) :: []))
  | MissedLabels ->
    (AtLeast ((Qty (InShape None)), (Const Bigint.zero))) :: ((AtLeast ((Qty
      RankWithLabels), (Add ((Qty (RankZ None)), (Const ((fun p -> p)
      Bigint.one)))))) :: [])
  | PartAndOthers p -> (AtMost ((Qty Heads), (Qty (PartHeads p)))) :: []
  | ConcaveFrom0 p ->
    (Equal ((Qty (PartExamples p)), (Qty Examples))) :: ((AtMost ((Qty
      (PartHeads p)), (Qty Heads))) :: [])
  | ConcaveFromConstants p ->
    (Equal ((Qty (PartExamples p)), (Qty Examples))) :: ((AtMost ((Qty
      (PartHeads p)), (Qty Heads))) :: [])
  | ManyHeads p ->
    (AtLeast ((Qty (PartHeads p)), (Const ((fun p -> p) Bigint.one)))) :: []
  | SomeJacobian _ ->
    (Equal ((Qty (InShape l)), (Const ((fun p -> p) Bigint.one)))) :: []
  | AllJacobians _ ->
    (Equal ((Qty (InShape l)), (Const ((fun p -> p) Bigint.one)))) :: []
  | Tangents _ ->
    (Equal ((Qty (InShape l)), (Const ((fun p -> p) Bigint.one)))) :: []
  | SomeEmbeddings s ->
    (Equal ((Qty (SumsOfWords s)), (Const ((fun p -> p) Bigint.one)))) :: []
  | AlmostAllOutputs ->
    (Equal ((Qty (InShape None)), (Const ((fun p -> p) Bigint.one)))) :: []
  | ConstantHeadsCones ->
    (Equal ((Qty DistinctContexts), (Const ((fun p -> p) Bigint.one)))) :: []
  | _ -> []

(** val bounded :
    theorem -> layer_name -> (quantity * bool) * quantity expr **)

let bounded x l =
  match x with
  | AffineHull ->
    ((RankAny, false), (paper_bound (Qty (RankOf AffineTokens))))
  | LinearHull ->
    ((RankAny, false), (Mul ((Qty Heads), (Qty (RankOf Tokens)))))
  | ContextHulls ->
    ((RankAny, false), (Add ((Mul ((Sub ((Qty Heads), (Const ((fun p -> p)
      Bigint.one)))), (Qty (RankOf Differences)))), (Qty (RankOf Tokens)))))
  | AnyCoefficients -> (((RankZ l), false), (Qty RankAny))
  | SomeCoefficients -> ((RankAny, true), (Qty (RankZ l)))
  | AnyWeights -> ((Capacity, false), (Qty RankAny))
  | CoefficientsOfWeights -> ((RankAny, true), (Qty Capacity))
  | SomeWeights -> ((Capacity, true), (Qty (RankZ l)))
  | EqualExamples -> ((Capacity, false), (Qty DistinctExamples))
  | EqualRows -> (((RankZ l), false), (Qty DistinctExamples))
  | EqualOutputs -> ((DistinctOutputs, false), (Qty DistinctExamples))
  | EqualLabelledRows -> ((RankWithLabels, false), (Qty DistinctLabelled))
  | LabelsBeside -> ((RankWithLabels, true), (Qty (RankZ None)))
  | EqualHeads ->
    let n0 = Qty (DistinctHeads l) in
    (((RankZ l), false), (Min ((affine_bound n0), (Mul (n0, (Qty (RankOf
    Tokens)))))))
  | ConstantHeads ->
    let n0 = Qty (MovingHeads l) in
    (((RankZ l), false), (Min ((affine_bound n0), (Add ((Mul (n0, (Qty
    (RankOf Tokens)))), (Const ((fun p -> p) Bigint.one)))))))
  | AllLabels ->
    (((Truth MemorizesAll), true), (Const ((fun p -> p) Bigint.one)))
  | AllLabelsSkip ->
    (((Truth MemorizesAllSkip), true), (Const ((fun p -> p) Bigint.one)))
  | FittedLabels ->
    (((Truth MemorizesGiven), true), (Const ((fun p -> p) Bigint.one)))
  | MissedLabels -> (((Truth MemorizesGiven), false), (Const Bigint.zero))
  | PartAndOthers p ->
    ((Capacity, false), (Add ((Qty (CapacityOf p)), (Qty (Outside p)))))
  | ConcaveFrom0 p ->
    ((Capacity, false), (Div ((Mul ((Qty Heads), (Qty (CapacityOf p)))), (Max
      ((Const ((fun p -> p) Bigint.one)), (Qty (PartHeads p)))))))
  | ConcaveFromConstants p ->
    ((Capacity, false), (Div ((Sub ((Mul ((Qty Heads), (Qty (CapacityOf
      p)))), (Mul ((Sub ((Qty Heads), (Qty (PartHeads p)))), (Max ((Const
      Bigint.zero), (Sub ((Qty (RankOf Tokens)), (Qty (RankOf
      Differences)))))))))), (Max ((Const ((fun p -> p) Bigint.one)), (Qty
      (PartHeads p)))))))
  | AnyHeads -> ((LargestRank, true), (Qty Capacity))
  | ManyHeads p -> ((LargestRank, true), (Qty (CapacityOf p)))
  | SomeJacobian u -> ((FunctionalDimension, true), (Qty (RankJ (l, u))))
  | AllJacobians u -> (((RankJ (l, u)), false), (Qty FunctionalDimension))
  | EqualJacobianRows u ->
    (((RankJ (l, u)), false), (Mul ((Qty OutputDimension), (Qty
      DistinctExamples))))
  | ExponentCount ->
    ((FunctionalDimension, false), (Add ((Mul ((Qty Heads), tangents)), (Mul
      ((Qty OutputDimension), (Qty Capacity))))))
  | ExponentProducts ->
    (((RankOf Exponents), false), (Mul ((Qty (RankOf Differences)), (Qty
      (RankOf Queries)))))
  | DifferentExamples -> ((LargestRank, false), (Qty DistinctExamples))
  | BiasedTangents u ->
    (((RankJ (l, u)), false), (Add ((Mul ((Mul ((Qty Heads), (Qty (RankOf
      Differences)))), (Add ((Qty (RankOf Queries)), (Const ((fun p -> p)
      Bigint.one)))))), (Mul ((Qty OutputDimension), (Qty (RankZ l)))))))
  | RelatedOutputs ->
    ((FunctionalDimension, false), (Mul ((Qty OutputDimension), (Qty
      LargestRank))))
  | MovingDirections ->
    let f = Min ((Qty OutputDimension), (Mul ((Qty Heads), (Qty (RankOf
      Differences)))))
    in
    ((FunctionalDimension, false), (Add ((Mul ((Sub ((Qty OutputDimension),
    f)), (Qty Capacity))), (Mul ((Qty LargestRank), f)))))
  | Tangents u ->
    (((RankJ (l, u)), false), (Add ((Mul ((Qty Heads), tangents)), (Mul ((Qty
      OutputDimension), (Qty (RankZ l)))))))
  | SumsOfEmbeddings s ->
    ((EmbeddedCapacity, false), (paper_bound (Qty (Spread s))))
  | SomeEmbeddings _ -> ((EmbeddedCapacity, true), (Qty Capacity))
  | AlmostAllOutputs -> ((GenericOutputs, true), (Qty DistinctOutputs))
  | IndependentOutputs -> ((GenericOutputs, true), (Qty Capacity))
  | EqualInputs -> ((GenericOutputs, false), (Qty DistinctExamples))
  | EqualHeadsCones ->
    (((RankZ l), false), (Mul ((Qty (DistinctHeads l)), (Qty (RankOf
      Tokens)))))
  | ConstantHeadsCones ->
    (((RankZ l), false), (Add ((Mul ((Qty (MovingHeads l)), (Qty (RankOf
      Tokens)))), (Const ((fun p -> p) Bigint.one)))))

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

(** val fact_interval : fact -> interval **)

let fact_interval f =
  if f.below then ((Some f.bound), None) else (None, (Some f.bound))

(** val bounds_from :
    (quantity -> interval) -> fact list -> quantity -> interval **)

let bounds_from naturally facts q =
  foldr (fun f i ->
    if is_left (quantity_dec f.about q)
    then ((either Z.max (fst i) (fst (fact_interval f))),
           (either Z.min (snd i) (snd (fact_interval f))))
    else i) (naturally q) facts

(** val apply_from :
    (quantity -> interval) -> quantity comparison0 list ->
    ((quantity * bool) * quantity expr) -> fact list -> fact option **)

let apply_from naturally conditions0 bounded0 facts =
  if all (fun p ->
       match decide (bounds_from naturally facts) p with
       | Some b -> b
       | None -> false) conditions0
  then let (p, e) = bounded0 in
       let (q, lower) = p in
       let i = range (bounds_from naturally facts) e in
       (match if lower then fst i else snd i with
        | Some z0 -> Some { about = q; below = lower; bound = z0 }
        | None -> None)
  else None

(** val proves : bool -> quantity -> bool -> Bigint.t -> fact option **)

let proves ok q lower k =
  if ok then Some { about = q; below = lower; bound = (Z.of_nat k) } else None

(** val judge_from :
    (quantity -> interval) -> statement -> claim -> fact list -> verdict **)

let judge_from naturally s c facts =
  let truths =
    map0 (fun p -> decide (bounds_from naturally facts) p) (hypotheses s)
  in
  if has (fun x ->
       match x with
       | Some y -> if y then false else true
       | None -> false) truths
  then Inapplicable
  else let proved =
         all (fun x -> match x with
                       | Some y -> y
                       | None -> false) truths
       in
       (match decide (bounds_from naturally facts) (conclusion s c.asks) with
        | Some b ->
          if b then Verified proved else if proved then Refuted else Undecided
        | None -> Undecided)

(** val bits_of : step -> Bigint.t option **)

let bits_of = function
| CountPairs (_, _, b) -> Some b
| Spectrum (_, b, _) -> Some b
| CountExamples (_, _, b) -> Some b
| _ -> None

type kept_enclosures =
  Bigint.t * ((Bigint.t * Bigint.t) list list list * (Bigint.t * Bigint.t)
  list list option)

(** val counts_examples : step -> bool **)

let counts_examples = function
| CountExamples (_, _, _) -> true
| _ -> false

(** val table_at :
    problem -> kept_enclosures option -> Bigint.t -> (Bigint.t * Bigint.t)
    list list list **)

let table_at d0 kept bits =
  match kept with
  | Some k ->
    let (b, p) = k in
    let (a, _) = p in
    if eq_op nat_eqType (Obj.magic b) (Obj.magic bits)
    then a
    else attention_table d0 bits
  | None -> attention_table d0 bits

(** val scores_at :
    problem -> kept_enclosures option -> Bigint.t -> (Bigint.t * Bigint.t)
    list list **)

let scores_at d0 kept bits =
  match kept with
  | Some k ->
    let (b, p) = k in
    let (_, o) = p in
    (match o with
     | Some us ->
       if eq_op nat_eqType (Obj.magic b) (Obj.magic bits)
       then us
       else scores_from d0 (table_at d0 kept bits) bits
     | None -> scores_from d0 (table_at d0 kept bits) bits)
  | None -> scores_from d0 (table_at d0 kept bits) bits

(** val shared_table :
    problem -> kept_enclosures option -> step list -> kept_enclosures option **)

let shared_table d0 kept steps =
  match pmap bits_of steps with
  | [] -> kept
  | b :: _ ->
    let a = table_at d0 kept b in
    let scores =
      match kept with
      | Some k ->
        let (b', p) = k in
        let (_, us) = p in
        if eq_op nat_eqType (Obj.magic b') (Obj.magic b) then us else None
      | None -> None
    in
    Some (b, (a,
    (if has counts_examples steps
     then Some (scores_at d0 (Some (b, (a, scores))) b)
     else scores)))

(** val bounds :
    problem -> claim -> (layer_name -> (layer * bool) option) -> fact list ->
    quantity -> interval **)

let bounds d0 c layers =
  bounds_from (natural d0 layers c)

(** val non_zero : Bigint.t list -> Bigint.t **)

let non_zero y =
  count (fun x -> negb (Z.eqb x Bigint.zero)) y

(** val kruskal_zero_ok : problem -> bool -> Bigint.t list -> bool **)

let kruskal_zero_ok d0 mixed y =
  (&&) (eq_op nat_eqType (Obj.magic size0 y) (Obj.magic d0.t))
    ((&&) (leq (Bigint.succ Bigint.zero) (non_zero y))
      (zero_row (combination d0.d y (literal_vectors d0 mixed))))

(** val readable :
    problem -> claim -> (layer_name -> (layer * bool) option) -> theorem ->
    layer_name -> bool **)

let readable d0 c layers x l =
  match x with
  | ContextHulls -> leq (Bigint.succ Bigint.zero) d0.h
  | EqualRows ->
    (match layers l with
     | Some la -> negb (projects (fst la))
     | None -> true)
  | EqualOutputs ->
    (match layers None with
     | Some la -> negb (projects (fst la))
     | None -> true)
  | EqualLabelledRows ->
    (match layers None with
     | Some la -> negb (projects (fst la))
     | None -> true)
  | EqualHeads ->
    (match layers l with
     | Some la -> wf_layer d0 (fst la)
     | None -> true)
  | ConstantHeads ->
    (match layers l with
     | Some la -> wf_layer d0 (fst la)
     | None -> true)
  | FittedLabels -> isSome d0.given
  | MissedLabels -> isSome d0.given
  | PartAndOthers p -> good_part d0 p
  | ConcaveFrom0 p ->
    (&&) (leq (Bigint.succ Bigint.zero) p.part_heads) (good_part d0 p)
  | ConcaveFromConstants p ->
    (&&) (leq (Bigint.succ Bigint.zero) p.part_heads) (good_part d0 p)
  | ManyHeads p -> good_part d0 p
  | SumsOfEmbeddings s ->
    (&&)
      ((&&) (equal_rows s c.args.sequences)
        (eq_op nat_eqType (Obj.magic size0 s) (Obj.magic d0.t)))
      (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.n)) s)
  | SomeEmbeddings s ->
    (&&)
      ((&&) (equal_rows s c.args.sequences)
        (eq_op nat_eqType (Obj.magic size0 s) (Obj.magic d0.t)))
      (all (fun r -> eq_op nat_eqType (Obj.magic size0 r) (Obj.magic d0.n)) s)
  | EqualHeadsCones ->
    (match layers l with
     | Some la -> wf_layer d0 (fst la)
     | None -> true)
  | ConstantHeadsCones ->
    (match layers l with
     | Some la -> wf_layer d0 (fst la)
     | None -> true)
  | _ -> true

(** val apply_schema :
    problem -> claim -> (layer_name -> (layer * bool) option) -> quantity
    comparison0 list -> ((quantity * bool) * quantity expr) -> fact list ->
    fact option **)

let apply_schema d0 c layers =
  apply_from (natural d0 layers c)

(** val spans : problem -> fact list -> (Bigint.t list * Bigint.t) list **)

let spans d0 facts =
  ((iota Bigint.zero d0.t),
    (Z.of_nat (minn d0.t (muln d0.h d0.d)))) :: (pmap (fun f ->
                                                  if f.below
                                                  then None
                                                  else (match f.about with
                                                        | Capacity ->
                                                          Some
                                                            ((iota
                                                               Bigint.zero
                                                               d0.t), f.bound)
                                                        | CapacityOf p ->
                                                          if (&&)
                                                               (leq d0.h
                                                                 p.part_heads)
                                                               (good_part d0
                                                                 p)
                                                          then Some
                                                                 (p.part_examples,
                                                                 f.bound)
                                                          else None
                                                        | _ -> None)) facts)

(** val given_blocks :
    problem -> claim -> (layer_name -> (layer * bool) option) -> blocks ->
    ((layer * bool) * head_blocks) option **)

let given_blocks d0 c layers b =
  match layers None with
  | Some p ->
    let (l, a) = p in
    if wf_layer d0 l
    then Option.map (fun b0 -> ((l, a), b0)) (blocks_of d0 c.args l a b)
    else None
  | None -> None

(** val once_if_equal :
    (Bigint.t list list -> bool) -> Bigint.t list list list -> bool **)

let once_if_equal f = function
| [] -> true
| c :: l' -> (&&) (f c) (if all (equal_rows c) l' then true else all f l')

(** val run_plain_step :
    problem -> claim -> (layer_name -> (layer * bool) option) ->
    kept_enclosures option -> fact option list -> step -> fact option **)

let run_plain_step d0 c layers kept facts = function
| MinorZ (l, p, g, o, rows, cols) ->
  (match layers l with
   | Some p0 ->
     let (l0, a) = p0 in
     proves (minor_Z_ok d0 l0 a p g o rows cols) (RankZ l) true (size0 rows)
   | None -> None)
| Minor (m, p, rows, cols) ->
  let (p0, m0) = literal_rows d0 c.args m in
  let (h0, w) = p0 in
  proves ((&&) (well_shaped c.args m) (minor_rows_ok p h0 w m0 rows cols))
    (RankOf m) true (size0 rows)
| MinorContexts (f, p) ->
  proves
    ((&&) (leq d0.n d0.d)
      (once_if_equal (fun c0 ->
        minor_rows_ok p d0.n d0.d c0 (iota Bigint.zero d0.n)
          (iota Bigint.zero d0.d)) (members d0 c.args f))) (least_rank_of f)
    true d0.n
| Zero (m, side, p, v) ->
  let (p0, m0) = literal_rows d0 c.args m in
  let (h0, w) = p0 in
  if side
  then proves ((&&) (well_shaped c.args m) (right_zero_ok p w m0 v)) (RankOf
         m) false (subn w (size0 v))
  else proves ((&&) (well_shaped c.args m) (left_zero_ok p h0 w m0 v))
         (RankOf m) false (subn h0 (size0 v))
| Hadamard (m, n0, a, b, rows, t0, columns0, primes) ->
  let (p, m0) = literal_rows d0 c.args m in
  let (_, w) = p in
  proves
    ((&&) (well_shaped c.args m)
      (hadamard_ok w m0 n0 a b rows t0 columns0 primes)) (RankOf m) false
    (size0 rows)
| ZeroContext (f, t0, side, p, v) ->
  let c0 = nth [] (members d0 c.args f) t0 in
  if leq (Bigint.succ t0) (size0 (members d0 c.args f))
  then if side
       then proves
              ((&&) (eq_op nat_eqType (Obj.magic size0 c0) (Obj.magic d0.n))
                (right_zero_ok p d0.d c0 v)) (least_rank_of f) false
              (subn d0.d (size0 v))
       else proves (left_zero_ok p d0.n d0.d c0 v) (least_rank_of f) false
              (subn d0.n (size0 v))
  else None
| Subsets (mixed, k, p) ->
  proves (kruskal_ok p d0.t d0.d k (literal_vectors d0 mixed)) (Kruskal
    mixed) true k
| ZeroKruskal (mixed, y) ->
  proves (kruskal_zero_ok d0 mixed y) (Kruskal mixed) false
    (pred (non_zero y))
| LeftZeroZ (l, p, g, o, v) ->
  (match layers l with
   | Some p0 ->
     let (l0, a) = p0 in
     proves (left_zero_Z_ok d0 l0 a p g o v) (RankZ l) false
       (subn d0.t (size0 v))
   | None -> None)
| RightZeroZ (l, p, g, o, v) ->
  (match layers l with
   | Some p0 ->
     let (l0, a) = p0 in
     proves (right_zero_Z_ok d0 l0 a p g o v) (RankZ l) false
       (subn (muln d0.h d0.d) (size0 v))
   | None -> None)
| ZeroCapacity (p, v) ->
  proves (zero_capacity_ok d0 p v) Capacity false (subn d0.t (size0 v))
| Hulls v -> proves true Capacity false (hulls_number d0 Softmax v)
| ZeroLargestRank (p, v) ->
  proves (zero_capacity_ok d0 p v) LargestRank false (subn d0.t (size0 v))
| Coefficients (p, rows, cols, tokens0) ->
  proves (coefficients_ok d0 p rows cols tokens0) Capacity true (size0 rows)
| ZeroFunctions (own, v) ->
  proves (zero_functions_ok d0 own v) Capacity false (subn d0.t (size0 v))
| MinorLabels (p, g, o, rows, cols) ->
  (match layers None with
   | Some p0 ->
     let (l, a) = p0 in
     proves (minor_labels_ok d0 l a p g o rows cols) RankWithLabels true
       (size0 rows)
   | None -> None)
| ZeroLabels (p, g, o, v) ->
  (match layers None with
   | Some p0 ->
     let (l, a) = p0 in
     proves
       ((&&) (left_zero_Z_ok d0 l a p g o v)
         (all (left_zero_labels d0 l a) v)) RankWithLabels false
       (subn d0.t (size0 v))
   | None -> None)
| MinorDistinct (p, g, o, rows, cols) ->
  (match layers None with
   | Some p0 ->
     let (l, a) = p0 in
     proves (different_rows_ok d0 l a p g o rows cols) DistinctOutputs true
       (size0 rows)
   | None -> None)
| ZeroDistinct (p, pairs) ->
  (match layers None with
   | Some p0 ->
     let (l, a) = p0 in
     proves (equal_rows_ok d0 l a p pairs) DistinctOutputs false
       (subn d0.t (size0 pairs))
   | None -> None)
| Apply (x, l, uses) ->
  if readable d0 c layers x l
  then apply_schema d0 c layers (conditions x l) (bounded x l)
         (pmap (fun k -> nth None facts k) uses)
  else None
| ApplyPaper (x, uses) ->
  if paper_proved d0 c.args x
  then apply_schema d0 c layers (paper_conditions x) (paper_bounded x)
         (pmap (fun k -> nth None facts k) uses)
  else None
| Show w ->
  let (x, holds) = shown w in
  proves (witness_ok d0 c.args w) (Truth x) holds (nat_of_bool holds)
| CountPairs (above, k, bits) ->
  proves (count_pairs_ok d0 c.args (table_at d0 kept bits) above k bits)
    Saturated above (if above then k else subn (pairs_counted d0 c.args) k)
| Spectrum (above, bits, x) ->
  proves (spectrum_ok d0 c.args (table_at d0 kept bits) above bits x)
    LargeSingularValues above
    (if above then size0 x else subn (smaller_side d0) (size0 x))
| CountExamples (above, k, bits) ->
  proves (count_examples_ok d0 c.args (scores_at d0 kept bits) above k bits)
    Accurate above (if above then k else subn d0.t k)
| ReadLabels (l, bits, cols, w) ->
  (match layers l with
   | Some p ->
     let (l0, b) = p in
     if b
     then proves (readout_ok d0 c.args w l0 bits cols) (Truth ReadOut) true
            (Bigint.succ Bigint.zero)
     else None
   | None -> None)
| TailMinor w -> proves (tail_ok d0 w) TailRank true (size0 w.tail_rows)
| LambdaMinor (s0, p, g, o, rows, cols) ->
  (match c.args.at_lambda with
   | Some p0 ->
     let (a, q) = p0 in
     proves (lambda_minor_ok d0 s0 a q p g o rows cols) LambdaRank true
       (size0 rows)
   | None -> None)
| MinorJ (l, u, p, g, o, rows, cols) ->
  (match layers l with
   | Some p0 ->
     let (l0, a) = p0 in
     proves (minor_J_ok d0 l0 a u p g o rows cols) (RankJ (l, u)) true
       (size0 rows)
   | None -> None)
| ZeroJ (l, u, p, v) ->
  (match layers l with
   | Some p0 ->
     let (l0, a) = p0 in
     proves (zero_J_ok d0 l0 a u p v) (RankJ (l, u)) false
       (subn (columns_number d0 l0) (size0 v))
   | None -> None)
| Circuits (l, p, g, o, cols, set, conflicts, uses) ->
  (match layers l with
   | Some p0 ->
     let (l0, a) = p0 in
     proves
       (circuits_ok d0 c.args l0 a p g o cols set conflicts
         (spans d0 (pmap (fun k -> nth None facts k) uses))) (Truth
       (WhichExamples (set, conflicts))) true (Bigint.succ Bigint.zero)
   | None -> None)
| MinorBlocks (b, p, g, o, rows, cols) ->
  (match given_blocks d0 c layers b with
   | Some p0 ->
     let (p1, b0) = p0 in
     let (l, a) = p1 in
     proves (minor_blocks_ok d0 l a b0 p g o rows cols) (RankBlocks b) true
       (size0 rows)
   | None -> None)
| LeftZeroBlocks (b, p, g, o, v) ->
  (match given_blocks d0 c layers b with
   | Some p0 ->
     let (p1, b0) = p0 in
     let (l, a) = p1 in
     proves (left_blocks_ok d0 l a b0 p g o v) (RankBlocks b) false
       (subn d0.t (size0 v))
   | None -> None)
| RightZeroBlocks (b, p, g, o, v) ->
  (match given_blocks d0 c layers b with
   | Some p0 ->
     let (p1, b0) = p0 in
     let (l, a) = p1 in
     proves (right_blocks_ok d0 l a b0 p g o v) (RankBlocks b) false
       (subn (muln b0.number_of b0.block_width) (size0 v))
   | None -> None)
| ApplyBlocks (x, uses) ->
  if block_readable d0 x
  then apply_schema d0 c layers (block_conditions x) (block_bounded x)
         (pmap (fun k -> nth None facts k) uses)
  else None
| EnclosedMinor (l, bits, rows, cols, q, v) ->
  (match layers l with
   | Some p ->
     let (l0, a) = p in
     proves (enclosed_minor_ok d0 l0 a bits rows cols q v) (RankZ l) true
       (size0 rows)
   | None -> None)
| _ -> None

(** val judge :
    problem -> claim -> (layer_name -> (layer * bool) option) -> statement ->
    fact list -> verdict **)

let judge d0 c layers s =
  judge_from (natural d0 layers c) s c

(** val all_layers :
    problem -> (layer * bool) option list -> layer_name -> (layer * bool)
    option **)

let all_layers d0 built = function
| Some k -> nth None built k
| None -> given_layer d0 None

(** val part_fact :
    problem -> claim -> part -> (layer * bool) option list -> bool -> fact
    option list -> fact option **)

let part_fact d0 c p built above facts =
  let i =
    bounds (part_of d0 p) c (all_layers (part_of d0 p) built)
      (pmap (fun x -> x) facts) Capacity
  in
  (match if above then fst i else snd i with
   | Some z0 -> Some { about = (CapacityOf p); below = above; bound = z0 }
   | None -> None)

(** val run_step :
    problem -> claim -> (layer_name -> (layer * bool) option) ->
    kept_enclosures option -> fact option list -> step -> fact option **)

let rec run_step d0 c layers kept facts s = match s with
| PartOf (p, built, steps, above) ->
  if (&&) (good_part d0 p) (wf_sizes (part_of d0 p))
  then part_fact d0 c p built above
         (let rec run0 facts0 = function
          | [] -> facts0
          | s0 :: steps' ->
            run0
              (rcons facts0
                (run_step (part_of d0 p) c (all_layers (part_of d0 p) built)
                  None facts0 s0)) steps'
          in run0 [] steps)
  else None
| _ -> run_plain_step d0 c layers kept facts s

(** val run :
    problem -> claim -> (layer_name -> (layer * bool) option) ->
    kept_enclosures option -> fact option list -> step list -> fact option
    list **)

let rec run d0 c layers kept facts = function
| [] -> facts
| s :: steps' ->
  run d0 c layers kept (rcons facts (run_step d0 c layers kept facts s))
    steps'

type result = { of_claim : verdict; of_steps : fact option list }

(** val about_given : statement -> bool **)

let about_given = function
| Rank -> true
| Memorizes -> true
| Injective -> true
| JacobianRank -> true
| InjectiveAlmostSurely -> true
| RankOfBlocks _ -> true
| MemorizesBiased -> true
| OutputMemorizes _ -> true
| _ -> false

(** val check_after :
    fact list -> kept_enclosures option -> problem -> statement -> claim ->
    (layer * bool) option list -> step list -> result **)

let check_after known kept d0 s c built steps =
  let layers = all_layers d0 built in
  if (&&) (wf_sizes d0) ((||) (negb (about_given s)) (isSome d0.given))
  then let facts =
         run d0 c layers (shared_table d0 kept steps)
           (map0 (fun f -> Some f) known) steps
       in
       { of_claim = (judge d0 c layers s (pmap (fun x -> x) facts));
       of_steps = facts }
  else { of_claim = Undecided; of_steps = [] }

(** val lasting : fact -> bool **)

let lasting f =
  match f.about with
  | RankZ l -> (match l with
                | Some _ -> false
                | None -> true)
  | _ -> false

(** val covered_kind : statement -> bool **)

let covered_kind = function
| Rank -> true
| Memorizes -> true
| Injective -> true
| CapacityQuestion -> true
| KruskalQuestion -> true
| GeneralPosition -> true
| Assumption1_ -> true
| Assumption2_ -> true
| Assumption3_ -> true
| AnyCoefficientsQuestion -> true
| RankOfBlocks b ->
  (match b with
   | WithOnes and_labels -> if and_labels then false else true
   | OneHead _ -> true
   | Outputs (ones, labels0) ->
     if ones then false else if labels0 then false else true)
| MemorizesBiased -> true
| OutputMemorizes _ -> true
| _ -> false

(** val of_data : quantity -> bool **)

let of_data = function
| Examples -> true
| Heads -> true
| Context -> true
| Dimension -> true
| HeadDimension -> true
| ValueDimension -> true
| OutputDimension -> true
| LeastRank -> true
| Asked -> true
| RankOf _ -> true
| RankContexts -> true
| RankMixedContexts -> true
| RankSubsetContexts -> true
| RankEncoding -> true
| Kruskal _ -> true
| DistinctContexts -> true
| DistinctTokens -> true
| DistinctExamples -> true
| DistinctLabelled -> true
| DistinctSums -> true
| InShape _ -> true
| OnlyHead -> true
| ValueBiases -> true
| LabelEntries _ -> true
| _ -> false

(** val cone_sound : theorem -> bool **)

let cone_sound = function
| LinearHull -> true
| AnyCoefficients -> true
| SomeCoefficients -> true
| AnyWeights -> true
| CoefficientsOfWeights -> true
| SomeWeights -> true
| EqualExamples -> true
| EqualRows -> true
| EqualOutputs -> true
| EqualLabelledRows -> true
| LabelsBeside -> true
| FittedLabels -> true
| MissedLabels -> true
| EqualHeadsCones -> true
| ConstantHeadsCones -> true
| _ -> false

(** val cone_block_sound : block_theorem -> bool **)

let cone_block_sound = function
| AffineHullOnes -> false
| OnesWithin -> false
| OutputsOfMeans -> false
| OutputsWithBiases -> false
| OutputsAndLabels -> false
| OutputsAndOnes -> false
| OutputsOnesLabels -> false
| OutputsZeroLabels -> false
| OutputsEqualLabels -> false
| HeadOutputsOfMeans -> false
| SingularValues -> false
| _ -> true

(** val kind_of_layer :
    coefficient_kind -> (Bigint.t * Bigint.t list) list -> layer_name ->
    coefficient_kind **)

let kind_of_layer k sinks l =
  match k with
  | Sinks (_, _, copies) ->
    (match l with
     | Some j ->
       let x = nth (Bigint.one, []) sinks j in
       Sinks ((fst x), (snd x), copies)
     | None -> k)
  | _ -> k

(** val counted_heads :
    problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
    coefficient_kind) -> quantity -> Bigint.t option **)

let counted_heads d0 layers kind = function
| DistinctHeads l ->
  Option.map (fun la ->
    Z.of_nat (size0 (cone_heads d0 (fst la) (snd la) (kind l)))) (layers l)
| MovingHeads l ->
  Option.map (fun la ->
    Z.of_nat
      (size0
        (filter (fun s -> negb (constant_rows s))
          (cone_heads d0 (fst la) (snd la) (kind l))))) (layers l)
| _ -> None

(** val natural_of_kind :
    problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name
    -> coefficient_kind) -> quantity -> interval **)

let natural_of_kind d0 c layers kind q = match q with
| RankZ _ -> natural d0 layers c q
| RankWithLabels -> natural d0 layers c q
| DistinctOutputs -> natural d0 layers c q
| RankAny -> natural d0 layers c q
| Capacity -> natural d0 layers c q
| DistinctHeads _ ->
  (match counted_heads d0 layers kind q with
   | Some z0 -> exactly z0
   | None -> (None, None))
| MovingHeads _ ->
  (match counted_heads d0 layers kind q with
   | Some z0 -> exactly z0
   | None -> (None, None))
| Truth x ->
  (match x with
   | MemorizesGiven -> natural d0 layers c q
   | MemorizesBias -> natural d0 layers c q
   | _ -> if of_data q then natural d0 layers c q else (None, None))
| RankBlocks _ -> natural d0 layers c q
| _ -> if of_data q then natural d0 layers c q else (None, None)

(** val good_layer :
    problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
    coefficient_kind) -> layer_name -> bool **)

let good_layer d0 layers kind l =
  match layers l with
  | Some p ->
    let (l0, a) = p in (&&) (wf_layer d0 l0) (cone_ok d0 l0 a (kind l))
  | None -> false

(** val blocks_of_Z :
    problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
    coefficient_kind) -> layer_name -> ((layer * bool) * head_blocks) option **)

let blocks_of_Z d0 layers kind l =
  match layers l with
  | Some p ->
    let (l0, a) = p in
    if good_layer d0 layers kind l
    then Some ((l0, a), (cone_Z d0 l0 a (kind l)))
    else None
  | None -> None

(** val cone_given_blocks :
    problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name
    -> coefficient_kind) -> blocks -> ((layer * bool) * head_blocks) option **)

let cone_given_blocks d0 c layers kind b =
  match layers None with
  | Some p ->
    let (l, a) = p in
    if good_layer d0 layers kind None
    then Option.map (fun b0 -> ((l, a), b0))
           (cone_blocks_of d0 c.args l a (kind None) b)
    else None
  | None -> None

(** val labels_blocks :
    problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
    coefficient_kind) -> ((layer * bool) * head_blocks) option **)

let labels_blocks d0 layers kind =
  match layers None with
  | Some p ->
    let (l, a) = p in
    if good_layer d0 layers kind None
    then Some ((l, a), (cone_labels d0 l a (kind None)))
    else None
  | None -> None

(** val readable_of_kind :
    problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name
    -> coefficient_kind) -> theorem -> layer_name -> bool **)

let readable_of_kind d0 c layers kind x l =
  (&&) (readable d0 c layers x l)
    (match x with
     | LinearHull -> true
     | AnyWeights -> true
     | CoefficientsOfWeights -> true
     | EqualExamples -> copies_agree d0 (kind None)
     | EqualRows ->
       (&&) (good_layer d0 layers kind l) (copies_agree d0 (kind None))
     | EqualOutputs ->
       (&&) (good_layer d0 layers kind None) (copies_agree d0 (kind None))
     | EqualLabelledRows ->
       (&&) (good_layer d0 layers kind None) (copies_agree d0 (kind None))
     | LabelsBeside -> true
     | FittedLabels -> good_layer d0 layers kind None
     | MissedLabels -> good_layer d0 layers kind None
     | _ -> good_layer d0 layers kind l)

(** val block_readable_of_kind :
    problem -> (layer_name -> (layer * bool) option) -> (layer_name ->
    coefficient_kind) -> block_theorem -> bool **)

let block_readable_of_kind d0 layers kind x =
  (&&) (block_readable d0 x)
    ((&&) (good_layer d0 layers kind None)
      (match x with
       | EqualRowsOnes -> copies_agree d0 (kind None)
       | EqualLabelledRowsOnes -> copies_agree d0 (kind None)
       | EqualOutputRows -> copies_agree d0 (kind None)
       | HeadRows -> copies_agree d0 (kind None)
       | HeadOutputRows -> copies_agree d0 (kind None)
       | _ -> true))

(** val run_cone_step :
    problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name
    -> coefficient_kind) -> fact option list -> step -> fact option **)

let run_cone_step d0 c layers kind facts s =
  let known = fun uses -> pmap (fun k -> nth None facts k) uses in
  let of_Z = fun l f ->
    match blocks_of_Z d0 layers kind l with
    | Some p -> let (p0, b) = p in let (l0, a) = p0 in f l0 a b
    | None -> None
  in
  let of_blocks = fun b f ->
    match cone_given_blocks d0 c layers kind b with
    | Some p -> let (p0, b0) = p in let (l, a) = p0 in f l a b0
    | None -> None
  in
  (match s with
   | MinorZ (l, p, g, o, rows, cols) ->
     of_Z l (fun l0 a b ->
       proves (minor_blocks_ok d0 l0 a b p g o rows cols) (RankZ l) true
         (size0 rows))
   | LeftZeroZ (l, p, g, o, v) ->
     of_Z l (fun l0 a b ->
       proves (left_blocks_ok d0 l0 a b p g o v) (RankZ l) false
         (subn d0.t (size0 v)))
   | RightZeroZ (l, p, g, o, v) ->
     of_Z l (fun l0 a b ->
       proves (right_blocks_ok d0 l0 a b p g o v) (RankZ l) false
         (subn (muln b.number_of b.block_width) (size0 v)))
   | ZeroCapacity (p, v) ->
     proves (zero_cone_capacity_ok d0 (kind None) p v) Capacity false
       (subn d0.t (size0 v))
   | Hulls v ->
     proves (same_copies d0 (kind None)) Capacity false
       (hulls_number d0 (kind None) v)
   | MinorLabels (p, g, o, rows, cols) ->
     (match labels_blocks d0 layers kind with
      | Some p0 ->
        let (p1, b) = p0 in
        let (l, a) = p1 in
        proves (minor_blocks_ok d0 l a b p g o rows cols) RankWithLabels true
          (size0 rows)
      | None -> None)
   | ZeroLabels (p, g, o, v) ->
     (match labels_blocks d0 layers kind with
      | Some p0 ->
        let (p1, b) = p0 in
        let (l, a) = p1 in
        proves (left_blocks_ok d0 l a b p g o v) RankWithLabels false
          (subn d0.t (size0 v))
      | None -> None)
   | MinorDistinct (p, g, o, rows, cols) ->
     of_Z None (fun l a b ->
       proves (different_blocks_ok d0 l a b p g o rows cols) DistinctOutputs
         true (size0 rows))
   | Apply (x, l, uses) ->
     if (&&) (cone_sound x) (readable_of_kind d0 c layers kind x l)
     then apply_from (natural_of_kind d0 c layers kind) (conditions x l)
            (bounded x l) (known uses)
     else None
   | MinorBlocks (b, p, g, o, rows, cols) ->
     of_blocks b (fun l a b0 ->
       proves (minor_blocks_ok d0 l a b0 p g o rows cols) (RankBlocks b) true
         (size0 rows))
   | LeftZeroBlocks (b, p, g, o, v) ->
     of_blocks b (fun l a b0 ->
       proves (left_blocks_ok d0 l a b0 p g o v) (RankBlocks b) false
         (subn d0.t (size0 v)))
   | RightZeroBlocks (b, p, g, o, v) ->
     of_blocks b (fun l a b0 ->
       proves (right_blocks_ok d0 l a b0 p g o v) (RankBlocks b) false
         (subn (muln b0.number_of b0.block_width) (size0 v)))
   | ApplyBlocks (x, uses) ->
     if (&&) (cone_block_sound x) (block_readable_of_kind d0 layers kind x)
     then apply_from (natural_of_kind d0 c layers kind) (block_conditions x)
            (block_bounded x) (known uses)
     else None
   | _ ->
     (match run_plain_step d0 c layers None [] s with
      | Some f -> if of_data f.about then Some f else None
      | None -> None))

(** val run_cone_steps :
    problem -> claim -> (layer_name -> (layer * bool) option) -> (layer_name
    -> coefficient_kind) -> fact option list -> step list -> fact option list **)

let rec run_cone_steps d0 c layers kind facts = function
| [] -> facts
| s :: steps' ->
  run_cone_steps d0 c layers kind
    (rcons facts (run_cone_step d0 c layers kind facts s)) steps'

(** val check_of_kind :
    fact list -> kept_enclosures option -> problem -> coefficient_kind ->
    statement -> claim -> (layer * bool) option list -> (Bigint.t * Bigint.t
    list) list -> step list -> result **)

let check_of_kind known kept d0 k s c built sinks steps =
  match k with
  | Softmax -> check_after known kept d0 s c built steps
  | _ ->
    let layers = all_layers d0 built in
    let kind = kind_of_layer k sinks in
    if (&&) (wf_sizes d0)
         ((&&) (covered_kind s)
           ((||) (negb (about_given s)) (isSome d0.given)))
    then let facts = run_cone_steps d0 c layers kind [] steps in
         { of_claim =
         (judge_from (natural_of_kind d0 c layers kind) s c
           (pmap (fun x -> x) facts)); of_steps = facts }
    else { of_claim = Undecided; of_steps = [] }

(** val stack_given : statement -> bool **)

let stack_given = function
| Rank -> true
| Injective -> true
| Saturation -> true
| NumericalRank -> true
| Accuracy -> true
| InjectiveAlmostSurely -> true
| _ -> false

(** val about_length : statement -> bool **)

let about_length = function
| Assumption1_ -> true
| Assumption2_ -> true
| Assumption3_ -> true
| Proposition1 -> true
| Theorem1 -> true
| Proposition4 -> true
| _ -> false

(** val covered_stack : statement -> bool **)

let covered_stack s =
  (||) (stack_given s)
    ((||) (about_length s)
      (match s with
       | CapacityQuestion -> true
       | KruskalQuestion -> true
       | GeneralPosition -> true
       | _ -> false))

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

(** val stack_theorem : theorem -> bool **)

let stack_theorem = function
| AnyCoefficients -> true
| SomeCoefficients -> true
| AnyWeights -> true
| SomeWeights -> true
| AllLabels -> true
| AlmostAllOutputs -> true
| _ -> false

(** val stack_of :
    layer_stack -> (layer * bool) option list -> layer_name ->
    (layer_stack * layer) option **)

let stack_of s built =
  let d0 = s.top_problem in
  (fun l ->
  match l with
  | Some k ->
    Option.map (fun l0 -> ((if snd l0 then with_last s (fst l0) else s),
      (fst l0))) (nth None built k)
  | None -> Option.map (fun l0 -> (s, l0)) d0.given)

(** val natural_of_stack :
    layer_stack -> claim -> (layer * bool) option list -> quantity -> interval **)

let natural_of_stack s c built =
  let d0 = s.top_problem in
  (fun q ->
  match q with
  | Examples -> exactly_nat d0.t
  | Heads -> exactly_nat d0.h
  | Context -> exactly_nat d0.n
  | Dimension -> exactly_nat d0.d
  | HeadDimension -> exactly_nat d0.d_h
  | ValueDimension -> exactly_nat d0.d_v
  | OutputDimension -> exactly_nat d0.d_out
  | LeastRank -> exactly_nat (minn d0.n d0.d_h)
  | Asked -> exactly c.asked
  | RankContexts -> up_to (minn d0.n d0.d)
  | RankMixedContexts -> up_to (minn d0.n d0.d)
  | RankZ _ -> up_to (minn d0.t (muln d0.h d0.d))
  | DistinctOutputs -> up_to d0.t
  | RankAny -> up_to (minn d0.t (muln d0.h d0.d))
  | Capacity -> up_to (minn d0.t (muln d0.h d0.d))
  | Kruskal _ -> up_to (minn d0.t d0.d)
  | InShape l ->
    exactly
      (match stack_of s built l with
       | Some p ->
         let (_, l0) = p in
         if in_shape d0 l0 then (fun p -> p) Bigint.one else Bigint.zero
       | None -> Bigint.zero)
  | Truth x ->
    (match x with
     | MemorizesAll -> up_to (Bigint.succ Bigint.zero)
     | _ -> (None, None))
  | Saturated -> up_to (muln d0.t d0.h)
  | LargeSingularValues -> up_to (minn d0.t (muln d0.h d0.d))
  | Accurate -> up_to d0.t
  | GenericOutputs -> up_to d0.t
  | _ -> (None, None))

(** val sequence_of : layer_stack -> Bigint.t -> Bigint.t **)

let sequence_of s =
  let d0 = s.top_problem in
  (fun j -> Z.div (Z.of_nat j) ((fun p -> p) (Z.to_pos (Z.of_nat d0.n))))

(** val bound_fact : layer_stack -> stack_bound -> fact option **)

let bound_fact s =
  let d0 = s.top_problem in
  (fun b ->
  let none = fun _ -> Bigint.zero in
  let given_turns = match d0.given with
                    | Some l -> turns l
                    | None -> true in
  let of_given = fun f -> match d0.given with
                          | Some l -> f l
                          | None -> None in
  let classes0 = stack_enclosable s no_last_layer in
  (match b with
   | DifferentRows ->
     of_given (fun l ->
       proves classes0 DistinctOutputs false (stack_distinct s (turns l)))
   | RankOfRows ->
     of_given (fun l ->
       proves classes0 (RankZ None) false (stack_distinct s (turns l)))
   | Directions ->
     of_given (fun l ->
       proves classes0 (RankZ None) false (stack_directions s (turns l)))
   | FreeDirections ->
     proves classes0 Capacity false (stack_directions s given_turns)
   | FreeRows ->
     proves classes0 GenericOutputs false (stack_distinct s given_turns)
   | QueriesMost -> proves classes0 (Kruskal false) false (queries_most s)
   | ContextsMost ->
     proves ((&&) (hulls_ok s none) (leq (Bigint.succ Bigint.zero) d0.t))
       RankContexts false (contexts_most s none)
   | EqualHeadsOf ->
     of_given (fun l ->
       let n0 = size0 (different_heads s l) in
       proves (hulls_ok s none) (RankZ None) false
         (minn (addn (muln n0 (dim_affine s none)) (Bigint.succ Bigint.zero))
           (muln n0 (dim_linear s none))))
   | LinearHullOf ->
     proves (hulls_ok s none) RankAny false (muln d0.h (dim_linear s none))
   | AffineHullOf ->
     proves (hulls_ok s none) RankAny false
       (addn (muln d0.h (dim_affine s none)) (Bigint.succ Bigint.zero))
   | DifferencesOf ->
     proves
       ((&&) (hulls_ok s (sequence_of s))
         (leq (Bigint.succ Bigint.zero) d0.h)) RankAny false
       (addn
         (muln (subn d0.h (Bigint.succ Bigint.zero))
           (dim_differences s (sequence_of s)))
         (dim_linear s (sequence_of s)))))

(** val run_stack_step :
    layer_stack -> claim -> (layer * bool) option list -> fact option list ->
    stack_step -> fact option **)

let run_stack_step s c built =
  let d0 = s.top_problem in
  (fun facts s0 ->
  let of_given = fun f -> match d0.given with
                          | Some l -> f l
                          | None -> None in
  (match s0 with
   | StackMinor (l, bits, rows, cols, q, v) ->
     (match stack_of s built l with
      | Some p ->
        let (s', l0) = p in
        proves (stack_minor_ok s' l0 bits rows cols q v) (RankZ l) true
          (size0 rows)
      | None -> None)
   | StackApart (bits, rows) ->
     of_given (fun l ->
       proves (stack_apart_ok s l bits rows) DistinctOutputs true (size0 rows))
   | StackPairs (above, k, bits) ->
     of_given (fun l ->
       proves (stack_pairs_ok s l c.args above k bits) Saturated above
         (if above then k else subn (pairs_counted d0 c.args) k))
   | StackScores (above, k, bits) ->
     of_given (fun l ->
       proves (stack_scores_ok s l c.args above k bits) Accurate above
         (if above then k else subn d0.t k))
   | StackSpectrum (above, bits, more, x) ->
     of_given (fun l ->
       proves (stack_spectrum_ok s l c.args above bits more x)
         LargeSingularValues above
         (if above
          then size0 x
          else subn (minn d0.t (muln d0.h d0.d)) (size0 x)))
   | StackQueries (mixed, k, bits) ->
     proves (entering_queries_ok s bits mixed k) (Kruskal mixed) true k
   | StackContexts (mixed, bits) ->
     proves (entering_contexts_ok s bits mixed)
       (if mixed then RankMixedContexts else RankContexts) true
       (fewest_tokens s)
   | StackApply (x, l, uses) ->
     if stack_theorem x
     then apply_from (natural_of_stack s c built) (conditions x l)
            (bounded x l) (pmap (fun k -> nth None facts k) uses)
     else None
   | StackBound b -> bound_fact s b
   | StackNotCovered -> None))

(** val run_stack_steps :
    layer_stack -> claim -> (layer * bool) option list -> fact option list ->
    stack_step list -> fact option list **)

let rec run_stack_steps s c built facts = function
| [] -> facts
| s0 :: steps' ->
  run_stack_steps s c built (rcons facts (run_stack_step s c built facts s0))
    steps'

(** val check_of_stack :
    layer_stack -> statement -> claim -> (layer * bool) option list ->
    stack_step list -> result **)

let check_of_stack s s0 c built steps =
  let d0 = s.top_problem in
  if (&&) (covered_stack s0)
       ((&&)
         (eq_op nat_eqType (Obj.magic size0 s.example_tokens)
           (Obj.magic d0.t))
         ((&&)
           (all (fun l -> leq (Bigint.succ Bigint.zero) (size0 l))
             s.example_tokens)
           (implb (about_length s0)
             (all (fun l ->
               eq_op nat_eqType (Obj.magic size0 l) (Obj.magic d0.n))
               s.example_tokens))))
  then let facts = run_stack_steps s c built [] steps in
       { of_claim =
       (judge_from (natural_of_stack s c built) s0 c
         (pmap (fun x -> x) facts)); of_steps = facts }
  else { of_claim = Undecided; of_steps = [] }

(** val only_attention : earlier list -> bool **)

let only_attention bs =
  all (fun b -> match b with
                | EarlierAttention (_, _, _) -> true
                | _ -> false) bs

(** val lists_of : earlier -> Bigint.t list list **)

let lists_of = function
| EarlierAttention (_, lists, _) -> lists
| _ -> []

(** val path_width : earlier -> Bigint.t **)

let path_width = function
| EarlierAttention (_, _, heads) -> width_at heads Bigint.zero
| _ -> Bigint.zero

(** val single_path : earlier list -> bool **)

let single_path bs =
  all (fun b ->
    match b with
    | EarlierAttention (residual0, _, heads) ->
      if residual0
      then false
      else (match heads with
            | [] -> false
            | _ :: l -> (match l with
                         | [] -> true
                         | _ :: _ -> false))
    | _ -> false) bs

(** val reach : Bigint.t list list list -> Bigint.t list -> Bigint.t list **)

let rec reach ls s =
  match ls with
  | [] -> s
  | l :: ls' ->
    Obj.magic undup nat_eqType
      (flatten (map0 (fun j -> nth [] (Obj.magic l) j) (reach ls' s)))

(** val reaches : Bigint.t list list list -> Bigint.t list -> bool **)

let rec reaches ls s =
  match ls with
  | [] -> leq (Bigint.succ Bigint.zero) (size0 s)
  | l :: ls' ->
    (&&) (reaches ls' s)
      (all (fun j -> leq (Bigint.succ Bigint.zero) (size0 (nth [] l j)))
        (reach ls' s))

(** val motions : Bigint.t -> Bigint.t -> Bigint.t -> Bigint.t **)

let motions m v q =
  addn (muln (minn m v) q) (muln (minn m q) (subn v m))

(** val path_lists : layer_stack -> Bigint.t list list list **)

let path_lists s =
  map0 lists_of s.befores

(** val averaged : layer_stack -> Bigint.t -> Bigint.t list **)

let averaged s t0 =
  reach (path_lists s) (nth [] s.example_tokens t0)

(** val composed : layer_stack -> bool **)

let composed s =
  (&&) (single_path s.befores) (all (reaches (path_lists s)) s.example_tokens)

(** val hidden_row : layer_stack -> Bigint.t -> Bigint.t list **)

let hidden_row s j =
  nth [] s.hidden_rows j

(** val row_differences :
    layer_stack -> Bigint.t list -> Bigint.t list list **)

let row_differences s js =
  map0 (fun j ->
    less (Obj.magic GRing.one ZInstances.coq_Z_ringType) (hidden_row s j)
      (Obj.magic GRing.one ZInstances.coq_Z_ringType)
      (hidden_row s (head Bigint.zero js))) js

(** val moved_at : layer_stack -> Bigint.t -> Bigint.t **)

let moved_at s t0 =
  minn s.top_problem.d_out
    (muln s.top_problem.h
      (size0 (basis s.top_problem.d (row_differences s (averaged s t0)))))

(** val moved_dimensions : layer_stack -> Bigint.t **)

let moved_dimensions s =
  sumn (map0 (fun t0 -> moved_at s t0) (iota Bigint.zero s.top_problem.t))

(** val averaged_rows : layer_stack -> Bigint.t list list **)

let averaged_rows s =
  map0 (fun j -> hidden_row s (Obj.magic j))
    (undup nat_eqType
      (flatten
        (map0 (fun t0 -> Obj.magic averaged s t0)
          (iota Bigint.zero s.top_problem.t))))

(** val averaged_span : layer_stack -> Bigint.t **)

let averaged_span s =
  size0 (basis s.top_problem.d (averaged_rows s))

(** val cleared_by : Bigint.t list list -> Bigint.t list -> Bigint.t list **)

let rec cleared_by b y =
  match b with
  | [] -> y
  | u :: b' ->
    let k = find (fun x -> negb (Z.eqb x Bigint.zero)) u in
    cleared_by b'
      (if leq (Bigint.succ k) (size0 u)
       then less (nth Bigint.zero u k) y (nth Bigint.zero y k) u
       else y)

(** val spanned_by : Bigint.t list list -> Bigint.t list -> bool **)

let spanned_by b y =
  all_zero (cleared_by b y)

(** val map_rows : layer_stack -> Bigint.t list list -> Bigint.t list **)

let map_rows s e =
  flatten (map0 (fun r -> image s.top_problem.d r e) (averaged_rows s))

(** val maps_ok :
    layer_stack -> Bigint.t -> Bigint.t list list list -> bool **)

let maps_ok s p es =
  (&&)
    (eq_op nat_eqType (Obj.magic s.top_problem.h)
      (Obj.magic (Bigint.succ Bigint.zero)))
    ((&&) (leq (averaged_span s) s.top_problem.d_out)
      ((&&)
        (all (fun js ->
          let b =
            rev (basis s.top_problem.d (row_differences s (Obj.magic js)))
          in
          all (fun e ->
            all (fun j ->
              spanned_by b (image s.top_problem.d (hidden_row s j) e))
              (Obj.magic js)) es)
          (undup (seq_eqType nat_eqType)
            (map0 (fun t0 -> Obj.magic averaged s t0)
              (iota Bigint.zero s.top_problem.t))))
        (independent_mod p (muln (size0 (averaged_rows s)) s.top_problem.d)
          (map0 (fun e -> map_rows s e) es))))

(** val grouped_layer :
    Bigint.t list -> (Bigint.t -> Bigint.t) -> earlier -> bool **)

let grouped_layer us grp = function
| EarlierAttention (_, lists, heads) ->
  (&&) (leq (Bigint.succ Bigint.zero) (size0 heads))
    ((&&)
      (all (fun g ->
        eq_op nat_eqType (Obj.magic g.earlier_width)
          (Obj.magic width_at heads Bigint.zero)) heads)
      (all (fun i ->
        let l = nth [] lists i in
        (&&) (leq (Bigint.succ Bigint.zero) (size0 l))
          ((&&)
            (all
              (PredOfSimpl.coerce
                (simpl_of_mem
                  (mem (Obj.magic seq_predType nat_eqType) (Obj.magic us))))
              l)
            (all (fun j ->
              eq_op nat_eqType (Obj.magic grp j) (Obj.magic grp i)) l))) us))
| _ -> false

(** val residual_of : earlier -> bool **)

let residual_of = function
| EarlierAttention (residual0, _, _) -> residual0
| _ -> false

(** val before_heads : earlier -> earlier_head list **)

let before_heads = function
| EarlierAttention (_, _, heads) -> heads
| _ -> []

(** val ways_of : earlier -> Bigint.t **)

let ways_of b =
  addn (nat_of_bool (residual_of b)) (size0 (before_heads b))

(** val dims :
    layer_stack -> Bigint.t -> Bigint.t -> earlier list -> Bigint.t * Bigint.t **)

let rec dims s v c = function
| [] -> (v, c)
| b :: bs' ->
  let n0 = muln (ways_of b) v in
  dims s (minn s.top_problem.d n0)
    (subn (minn s.top_problem.d (addn n0 c)) (minn s.top_problem.d n0)) bs'

(** val motions_of :
    layer_stack -> Bigint.t -> Bigint.t -> earlier list -> Bigint.t **)

let rec motions_of s v c = function
| [] -> Bigint.zero
| b :: bs' ->
  let n0 = muln (ways_of b) v in
  let q = minn s.top_problem.d (addn n0 c) in
  addn
    (addn
      (muln (size0 (before_heads b)) (motions (path_width b) v (addn v c)))
      (muln (subn (addn n0 c) q) q))
    (motions_of s (minn s.top_problem.d n0)
      (subn q (minn s.top_problem.d n0)) bs')

(** val seen_rows : layer_stack -> Bigint.t list **)

let seen_rows s =
  once
    (sort0 leq
      (cat s.example_rows
        (cat (flatten s.example_tokens)
          (flatten (flatten (map0 lists_of s.befores))))))

(** val sequence_number : layer_stack -> Bigint.t -> Bigint.t **)

let sequence_number s i =
  divn i s.top_problem.n

(** val first_among : layer_stack -> Bigint.t list -> Bigint.t -> Bigint.t **)

let first_among s us i =
  nth Bigint.zero us
    (find (fun j ->
      eq_op nat_eqType (Obj.magic sequence_number s j)
        (Obj.magic sequence_number s i)) us)

(** val difference_basis : layer_stack -> Bigint.t list list **)

let difference_basis s =
  let us = seen_rows s in
  basis s.top_problem.d
    (map0 (fun i ->
      less (Obj.magic GRing.one ZInstances.coq_Z_ringType) (hidden_row s i)
        (Obj.magic GRing.one ZInstances.coq_Z_ringType)
        (hidden_row s (first_among s us i))) us)

(** val seen_basis : layer_stack -> Bigint.t list list **)

let seen_basis s =
  basis s.top_problem.d (map0 (fun i -> hidden_row s i) (seen_rows s))

(** val in_sequences : layer_stack -> Bigint.t -> bool **)

let in_sequences s p =
  (&&) (leq (Bigint.succ Bigint.zero) s.top_problem.h)
    ((&&)
      (eq_op nat_eqType (Obj.magic size0 s.example_rows)
        (Obj.magic s.top_problem.t))
      ((&&) (all (grouped_layer (seen_rows s) (sequence_number s)) s.befores)
        ((&&)
          (all (fun t0 ->
            let l = nth [] s.example_tokens t0 in
            (&&) (leq (Bigint.succ Bigint.zero) (size0 l))
              (all (fun j ->
                eq_op nat_eqType (Obj.magic sequence_number s j)
                  (Obj.magic sequence_number s
                    (nth Bigint.zero s.example_rows t0))) l))
            (iota Bigint.zero s.top_problem.t))
          ((&&) (independent_mod p s.top_problem.d (difference_basis s))
            (independent_mod p s.top_problem.d (seen_basis s))))))

(** val first_dims : layer_stack -> Bigint.t * Bigint.t **)

let first_dims s =
  let v = size0 (difference_basis s) in (v, (subn (size0 (seen_basis s)) v))

(** val means_most : layer_stack -> Bigint.t **)

let means_most s =
  let (v, c) = first_dims s in
  let e = dims s v c s.befores in addn (muln s.top_problem.h (fst e)) (snd e)

(** val symmetry_motions : layer_stack -> Bigint.t **)

let symmetry_motions s =
  let (v, c) = first_dims s in
  let e = dims s v c s.befores in
  addn (motions_of s v c s.befores)
    (muln s.top_problem.h
      (motions s.top_problem.d_h (fst e) (addn (fst e) (snd e))))

(** val with_heads : earlier -> earlier_head list -> earlier **)

let with_heads b hs =
  match b with
  | EarlierAttention (residual0, lists, _) ->
    EarlierAttention (residual0, lists, hs)
  | _ -> b

(** val all_attention : layer_stack -> bool **)

let all_attention s =
  only_attention s.befores

(** val with_weights :
    layer_stack -> earlier_head list list -> layer_stack **)

let with_weights s ws =
  { top_problem = s.top_problem; q_hidden = s.q_hidden; hidden_rows =
    s.hidden_rows; befores =
    (map0 (fun x -> with_heads (fst x) (snd x)) (zip s.befores ws));
    example_rows = s.example_rows; example_tokens = s.example_tokens }

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

(** val some_examples : layer_stack -> Bigint.t list -> layer_stack **)

let some_examples s ts =
  { top_problem =
    (part_of s.top_problem { part_heads = s.top_problem.h; part_examples =
      ts }); q_hidden = s.q_hidden; hidden_rows = s.hidden_rows; befores =
    s.befores; example_rows =
    (map0 (fun t0 -> nth Bigint.zero s.example_rows t0) ts); example_tokens =
    (map0 (fun t0 -> nth [] s.example_tokens t0) ts) }

(** val representatives : layer_stack -> Bigint.t list **)

let representatives s =
  let ks = map0 Z.abs (key_classes (example_keys s)) in
  filter (fun t0 ->
    let k = nth Bigint.zero ks t0 in
    (&&) (negb (Z.eqb k Bigint.zero))
      (eq_op nat_eqType (Obj.magic find (Z.eqb k) ks) (Obj.magic t0)))
    (iota Bigint.zero s.top_problem.t)

(** val one_of_each : layer_stack -> layer_stack **)

let one_of_each s =
  if (&&) (all_attention s) (stack_enclosable s no_last_layer)
  then some_examples s (representatives s)
  else s

(** val natural_of_free : layer_stack -> claim -> quantity -> interval **)

let natural_of_free s c =
  let d0 = s.top_problem in
  (fun q ->
  match q with
  | Examples -> exactly_nat d0.t
  | Heads -> exactly_nat d0.h
  | Dimension -> exactly_nat d0.d
  | HeadDimension -> exactly_nat d0.d_h
  | OutputDimension -> exactly_nat d0.d_out
  | Asked -> exactly c.asked
  | Capacity -> up_to (minn d0.t (muln d0.h d0.d))
  | FunctionalDimension -> up_to (muln d0.t d0.d_out)
  | _ -> (None, None))

(** val capacity_most : layer_stack -> bool -> bool -> Bigint.t **)

let capacity_most s =
  let d0 = s.top_problem in
  (fun means directions ->
  minn (minn d0.t (muln d0.h d0.d))
    (minn (if means then means_most s else d0.t)
      (if directions then stack_directions s true else d0.t)))

(** val capacity_ok : layer_stack -> Bigint.t -> bool -> bool -> bool **)

let capacity_ok s p means directions =
  (&&) (implb means (in_sequences s p))
    (implb directions
      ((&&) (all_attention s) (stack_enclosable s no_last_layer)))

(** val run_free_step : layer_stack -> free_step -> fact option **)

let run_free_step s =
  let d0 = s.top_problem in
  (fun s0 ->
  match s0 with
  | FreeMinor (ws, l, bits, rows, cols, q, v) ->
    proves
      ((&&)
        (eq_op nat_eqType (Obj.magic size0 ws) (Obj.magic size0 s.befores))
        ((&&) (all (fun x -> fitting (fst x) (snd x)) (zip s.befores ws))
          ((&&) (in_shape d0 l)
            (stack_minor_ok (with_weights s ws) l bits rows cols q v))))
      Capacity true (size0 rows)
  | FreeJacobianMinor (ws, last0, bits, rows, cols, q, v) ->
    proves (free_J_ok s ws last0 bits rows cols q v) FunctionalDimension true
      (size0 rows)
  | FreeExamples ->
    proves ((&&) (all_attention s) (stack_enclosable s no_last_layer))
      Capacity false (stack_directions s true)
  | FreeOppositeRows ->
    proves ((&&) (all_attention s) (stack_enclosable s no_last_layer))
      FunctionalDimension false (muln d0.d_out (stack_directions s true))
  | FreeMeans p ->
    proves (in_sequences s p) Capacity false (minn d0.t (means_most s))
  | FreeSymmetries (p, means, directions) ->
    proves ((&&) (in_sequences s p) (capacity_ok s p means directions))
      FunctionalDimension false
      (addn (symmetry_motions s)
        (muln d0.d_out (capacity_most s means directions)))
  | FreeMoved (p, means, directions) ->
    let s' = one_of_each s in
    proves ((&&) (composed s') (capacity_ok s p means directions))
      FunctionalDimension false
      (addn (moved_dimensions s')
        (muln d0.d_out (capacity_most s means directions)))
  | FreeMovedMaps (p, maps) ->
    let s' = one_of_each s in
    proves ((&&) (composed s') (maps_ok s' p maps)) FunctionalDimension false
      (subn (addn (moved_dimensions s') (muln d0.d_out (averaged_span s')))
        (size0 maps))
  | FreeNotCovered -> None)

(** val covered_free : statement -> bool **)

let covered_free = function
| CapacityQuestion -> true
| FunctionalDimensionQuestion -> true
| _ -> false

(** val check_of_free :
    layer_stack -> statement -> claim -> free_step list -> result **)

let check_of_free s s0 c steps =
  if (&&) (covered_free s0)
       (eq_op nat_eqType (Obj.magic size0 s.example_tokens)
         (Obj.magic s.top_problem.t))
  then let facts = map0 (fun x -> run_free_step s x) steps in
       { of_claim =
       (judge_from (natural_of_free s c) s0 c (pmap (fun x -> x) facts));
       of_steps = facts }
  else { of_claim = Undecided; of_steps = [] }
