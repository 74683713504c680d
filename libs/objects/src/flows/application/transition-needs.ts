import { Injectable } from '@nestjs/common';
import { Expression, Forms, type OpenForm } from '@atrium/forms';
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
    return this.judged(caller, form, transition, { content, previous, state }, (stored) => whole.revealed(stored));
  }

  /**
   * The same as far as the caller may know it before the move is made: a condition is judged by the values that the caller sees, so
   * that its answer shows nothing of the others.
   */
  unmetFor(caller: Principal, form: OpenForm, transition: LifecycleTransition, judged: JudgedObject): readonly FieldFault[] {
    const visible = this.forms.visible(form.compiled, sightOf(caller));
    return this.judged(caller, form, transition, judged, (stored) => visible.revealed(stored));
  }

  private judged(
    caller: Principal,
    form: OpenForm,
    transition: LifecycleTransition,
    { content, previous, state }: JudgedObject,
    revealed: (stored: JsonObject) => JsonObject,
  ): readonly FieldFault[] {
    const { content: values } = this.forms.project(form.compiled, content, { hidden: true, sensitive: true });
    return [
      ...transition.require_fields.flatMap((key) => missing(form, key, values[key])),
      ...this.conditionOf(caller, transition, { content: revealed(content), previous: revealed(previous), state }),
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
