import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Validate, ValidateIf, ValidatorConstraint, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import { isUsageParam, USAGE_PARAM_NAMES } from '../../credits/domain/usage-params';

type Fault = readonly [code: string, message: string] | null;

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

function boundsFault(bounds: readonly unknown[]): Fault {
  if (bounds.length > 2) return ['too_many', 'must have one value (from) or two (from, to)'];
  return bounds.every(isBound) ? null : ['date_time', 'must be a date-time or a date (ISO 8601)'];
}

function isBound(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (DATE_TIME.test(value)) return !Number.isNaN(Date.parse(value));
  return DATE.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;
}

const paramsFault = (params: readonly unknown[]): Fault =>
  params.every((param) => typeof param === 'string' && isUsageParam(param))
    ? null
    : ['choice', 'must be parameters of the catalog (GET /usage/params)'];

abstract class ManyConstraint implements ValidatorConstraintInterface {
  protected abstract fault(values: readonly unknown[]): Fault;

  validate(value: unknown): boolean {
    return this.fault(value as unknown[]) === null;
  }

  defaultMessage({ value }: ValidationArguments): string {
    return (this.fault(value as unknown[]) ?? ['invalid', 'is not valid']).join('|');
  }
}

@ValidatorConstraint({ name: 'bounds' })
class BoundsConstraint extends ManyConstraint {
  protected fault(values: readonly unknown[]): Fault {
    return boundsFault(values);
  }
}

@ValidatorConstraint({ name: 'params' })
class ParamsConstraint extends ManyConstraint {
  protected fault(values: readonly unknown[]): Fault {
    return paramsFault(values);
  }
}

/** A parameter that may be given once or several times: always a list. */
function many(name: string, constraint: new () => ValidatorConstraintInterface): (owner: Function) => void {
  return (owner) => {
    const target = owner.prototype as object;
    Transform(({ value }: { value: unknown }) => (value === undefined ? undefined : [value].flat()))(target, name);
    Validate(constraint)(target, name);
    ValidateIf((query: Record<string, unknown>) => query[name] !== undefined)(target, name);
  };
}

/** Adds `usage_timestamp`: one bound or two, date-times or plain dates. */
export function acceptBounds(owner: Function, byDefault: string): void {
  many('usage_timestamp', BoundsConstraint)(owner);
  ApiProperty({
    type: 'array',
    items: { type: 'string' },
    maxItems: 2,
    required: false,
    description: `One value: from that time on. Two values: an inclusive range. Date-times, or plain dates, which mean whole local days. ${byDefault}`,
    example: ['2026-03-01', '2026-03-31'],
  })(owner.prototype as object, 'usage_timestamp');
}

/** Adds `usage_param`: parameters of the catalog. */
export function acceptParams(owner: Function): void {
  many('usage_param', ParamsConstraint)(owner);
  ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...USAGE_PARAM_NAMES] },
    required: false,
    description: 'Only these parameters.',
  })(owner.prototype as object, 'usage_param');
}
