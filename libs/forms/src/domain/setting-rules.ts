import { isId, type JsonValue } from '@atrium/platform/kernel';
import { DECIMAL } from './decimals';
import type { SettingRule } from './field';

/** What is wrong with a setting by its rule; undefined where nothing is. */
export function settingFault(value: JsonValue, rule: SettingRule): { readonly code: string; readonly message: string } | undefined {
  switch (rule.kind) {
    case 'whole':
    case 'number':
      return numberFault(value, rule);
    case 'decimal':
      return typeof value === 'string' && value.length <= 60 && DECIMAL.test(value) ? undefined : type('a decimal as a string');
    case 'flag':
      return typeof value === 'boolean' ? undefined : type('true or false');
    case 'id':
      return isId(value) ? undefined : type('an id');
    case 'text':
      return textFault(value, rule);
    case 'choice':
      return typeof value === 'string' && rule.values.includes(value)
        ? undefined
        : { code: 'option', message: `must be one of ${rule.values.join(', ')}.` };
    case 'texts':
      return textsFault(value, rule);
  }
}

const type = (what: string) => ({ code: 'type', message: `must be ${what}.` });

function numberFault(value: JsonValue, { kind, min, max }: SettingRule & { kind: 'whole' | 'number' }) {
  if (typeof value !== 'number' || !Number.isFinite(value) || (kind === 'whole' && !Number.isSafeInteger(value)))
    return type(kind === 'whole' ? 'a whole number' : 'a number');
  if (min !== undefined && value < min) return { code: 'minimum', message: `must be at least ${min}.` };
  return max !== undefined && value > max ? { code: 'maximum', message: `must be at most ${max}.` } : undefined;
}

function textFault(value: JsonValue, { max }: SettingRule & { kind: 'text' }) {
  if (typeof value !== 'string') return type('a text');
  return value.length > max ? { code: 'length', message: `must have at most ${max} characters.` } : undefined;
}

function textsFault(value: JsonValue, { max, form }: SettingRule & { kind: 'texts' }) {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string' || one === '' || one.length > 200))
    return type('a list of strings');
  if (value.length > max) return { code: 'length', message: `must have at most ${max} items.` };
  return form && value.some((one) => !form.pattern.test(one as string))
    ? { code: 'format', message: `must contain only ${form.words}.` }
    : undefined;
}
