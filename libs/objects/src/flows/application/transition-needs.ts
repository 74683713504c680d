import { Injectable } from '@nestjs/common';
import { Expression, Forms, type OpenForm, type VisibleFields } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Clock, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { sightOf } from '../../objects/application/object-answers';
import type { LifecycleTransition } from '../domain/lifecycle-flow';

/** What a transition is judged by. */
export interface JudgedObject {
  /** As it would be stored. */
  readonly content: JsonObject;
  readonly previous: JsonObject;
  readonly state: string;
}

/** Finds what keeps an object from a transition whose state and actor are right: missing values, and its condition. */
@Injectable()
export class TransitionNeeds {
  constructor(
    private readonly forms: Forms,
    private readonly clock: Clock,
  ) {}

  /** One reason each; none: the object may move. */
  unmet(
    caller: Principal,
    form: OpenForm,
    transition: LifecycleTransition,
    { content, previous, state }: JudgedObject,
  ): readonly FieldFault[] {
    const whole = this.forms.visible(form.compiled, { hidden: true, sensitive: true });
    return this.judged(caller, form, transition, { content, previous, state }, { by: whole, isMove: true });
  }

  /**
   * The same as far as the caller may know it before the move is made: a condition is judged by the values that the caller sees, and a
   * required field that the caller does not see counts as missing, so that the answer shows nothing of the others.
   */
  unmetFor(caller: Principal, form: OpenForm, transition: LifecycleTransition, judged: JudgedObject): readonly FieldFault[] {
    const visible = this.forms.visible(form.compiled, sightOf(caller));
    return this.judged(caller, form, transition, judged, { by: visible, isMove: false });
  }

  /** The required fields that the caller may know of. */
  shownFields(caller: Principal, form: OpenForm, { require_fields }: LifecycleTransition): readonly string[] {
    const reader = this.forms.visible(form.compiled, sightOf(caller));
    return require_fields.filter((key) => !isClosed(form, key, reader));
  }

  private judged(
    caller: Principal,
    form: OpenForm,
    transition: LifecycleTransition,
    { content, previous, state }: JudgedObject,
    { by, isMove }: { readonly by: VisibleFields; readonly isMove: boolean },
  ): readonly FieldFault[] {
    const { content: values } = this.forms.project(form.compiled, content, { hidden: true, sensitive: true });
    const reader = this.forms.visible(form.compiled, sightOf(caller));
    const [closed, shown] = partition(transition.require_fields, (key) => isClosed(form, key, reader));
    const lacksClosed = closed.some((key) => !isMove || isEmpty(values[key]));
    return [
      ...shown.flatMap((key) => missing(form, key, values[key])),
      ...(lacksClosed ? [CLOSED_MISSING] : []),
      ...this.conditionOf(caller, transition, { content: by.revealed(content), previous: by.revealed(previous), state }),
    ];
  }

  private conditionOf(caller: Principal, { condition }: LifecycleTransition, values: JudgedObject): FieldFault[] {
    if (condition === null) return [];
    const expression = Expression.parse(condition);
    const user = { id: caller.user_id, roles: [...caller.role_ids] };
    const answer = expression instanceof Expression ? expression.evaluate({ ...values, user, now: this.clock.now() }) : undefined;
    if (answer === true) return [];
    const message = answer === false ? 'does not hold' : 'cannot be evaluated for this object, which counts as not holding';
    return [{ path: 'transition', code: 'condition', message: `The condition ${message}: ${condition}` }];
  }
}

/** Of fields that the caller does not see neither name nor number is said. */
const CLOSED_MISSING: FieldFault = {
  path: 'transition',
  code: 'required',
  message: 'The transition requires a value that you may not read.',
};

function isClosed({ compiled }: OpenForm, key: string, reader: VisibleFields): boolean {
  const field = compiled.fields.find((one) => one.key === key);
  return field !== undefined && !reader.shows(field);
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** A value that the transition requires and the object does not have. */
function missing({ compiled, form_name }: OpenForm, key: string, value: JsonValue | undefined): FieldFault[] {
  const path = `obj_content.${key}`;
  const field = compiled.fields.find((one) => one.key === key);
  if (!field)
    return [{ path, code: 'unknown_field', message: `The schema ${form_name} has no field ${key}, which the transition requires.` }];
  return isEmpty(value) ? [{ path, code: 'required', message: `${field.label} is required for this transition.` }] : [];
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
