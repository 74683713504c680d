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

  /**
   * One reason each; none: the object may move. All values decide, but the reasons follow from those alone that the caller sees, so that a
   * refusal, which has no effect, shows nothing of the others. Where all that the caller sees is right, one sentence says that more is
   * needed, whatever it is.
   */
  findUnmet(caller: Principal, form: OpenForm, transition: LifecycleTransition, judged: JudgedObject): readonly FieldFault[] {
    const { lacking, condition } = this.seen(caller, form, transition, judged);
    if (lacking.length > 0) return [...lacking, ...condition];
    const values = this.valuesOf(form, judged);
    const whole = this.forms.visibleFields(form.compiled, EVERYTHING);
    const isMet =
      this.closedFields(caller, form, transition).every((key) => !isEmpty(values[key])) &&
      this.conditionOf(caller, transition, revealed(whole, judged)).length === 0;
    if (isMet) return [];
    return condition.length > 0 ? condition : [CLOSED];
  }

  /**
   * The same as far as the caller may know it before the move is made: a condition is judged by the values that the caller sees, and a
   * required field that the caller does not see counts as missing.
   */
  findUnmetNeeds(caller: Principal, form: OpenForm, transition: LifecycleTransition, judged: JudgedObject): readonly FieldFault[] {
    const { lacking, condition } = this.seen(caller, form, transition, judged);
    return [...lacking, ...(this.closedFields(caller, form, transition).length > 0 ? [CLOSED] : []), ...condition];
  }

  /** The required fields that the caller may know of. */
  listShownFields(caller: Principal, form: OpenForm, transition: LifecycleTransition): readonly string[] {
    const closed = this.closedFields(caller, form, transition);
    return transition.require_fields.filter((key) => !closed.includes(key));
  }

  /** What the object lacks by the fields and values that the caller sees. */
  private seen(
    caller: Principal,
    form: OpenForm,
    transition: LifecycleTransition,
    judged: JudgedObject,
  ): { readonly lacking: readonly FieldFault[]; readonly condition: readonly FieldFault[] } {
    const values = this.valuesOf(form, judged);
    const visible = this.forms.visibleFields(form.compiled, sightOf(caller));
    return {
      lacking: this.listShownFields(caller, form, transition).flatMap((key) => missing(form, key, values[key])),
      condition: this.conditionOf(caller, transition, revealed(visible, judged)),
    };
  }

  private closedFields(caller: Principal, form: OpenForm, { require_fields }: LifecycleTransition): readonly string[] {
    const reader = this.forms.visibleFields(form.compiled, sightOf(caller));
    return require_fields.filter((key) => isClosed(form, key, reader));
  }

  private valuesOf({ compiled }: OpenForm, { content }: JudgedObject): JsonObject {
    return this.forms.projectContent(compiled, content, EVERYTHING).content;
  }

  private conditionOf(caller: Principal, { condition }: LifecycleTransition, values: JudgedObject): FieldFault[] {
    if (condition === null) return [];
    const expression = Expression.parse(condition);
    const user = { id: caller.user_id, roles: [...caller.role_ids] };
    const answer = expression instanceof Expression ? expression.evaluate({ ...values, user, now: this.clock.now() }) : undefined;
    if (answer === true) return [];
    const message = answer === false ? 'is not met' : 'cannot be evaluated for this object and counts as not met';
    return [{ path: 'transition', code: 'condition', message: `The condition ${message}: ${condition}` }];
  }
}

const EVERYTHING = { hidden: true, sensitive: true };

/** Of what the caller does not see, fields and conditions alike, neither name nor number is said. */
const CLOSED: FieldFault = {
  path: 'transition',
  code: 'required',
  message: 'The transition requires a value that you cannot read.',
};

const revealed = (by: VisibleFields, { content, previous, state }: JudgedObject): JudgedObject => ({
  content: by.revealed(content),
  previous: by.revealed(previous),
  state,
});

function isClosed({ compiled }: OpenForm, key: string, reader: VisibleFields): boolean {
  const field = compiled.fields.find((one) => one.key === key);
  return field !== undefined && !reader.shows(field);
}

/** A value that the transition requires and the object does not have. */
function missing({ compiled, form_name }: OpenForm, key: string, value: JsonValue | undefined): FieldFault[] {
  const path = `obj_content.${key}`;
  const field = compiled.fields.find((one) => one.key === key);
  if (!field)
    return [
      { path, code: 'unknown_field', message: `The schema ${form_name} does not have the field ${key}, which the transition requires.` },
    ];
  return isEmpty(value) ? [{ path, code: 'required', message: `${field.label} is required for this transition.` }] : [];
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
