import { withoutEnd } from '@atrium/platform/kernel';
import { makeExactValidator, makeValidator } from 'envalid';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A whole number within bounds. */
export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  makeValidator<number>((input) => {
    const value = input.trim() === '' ? Number.NaN : Number(input);
    if (!Number.isInteger(value) || value < min || value > max) throw new Error(`needs a whole number from ${min} to ${max}`);
    return value;
  });

/** The address of an external API, with neither a query nor a slash at its end; empty where the public one is used. */
export const apiBase = makeExactValidator<string>((input) => {
  const address = withoutEnd(input.trim(), /\//);
  if (address === '') return '';
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(address)) throw new Error('needs an http or https address without a query');
  return address;
});

/** A month as APIs name their versions by it. */
export const monthVersion = makeExactValidator<string>((input) => {
  if (!/^20\d\d(?:0[1-9]|1[0-2])$/.test(input)) throw new Error('needs a month as YYYYMM');
  return input;
});

/** Comma-separated addresses that an authorization may lead back to. */
export const redirectAddresses = makeExactValidator<string>((input) => {
  for (const address of input.split(',').map((item) => item.trim())) {
    if (address !== '' && !mayLeadBackTo(address))
      throw new Error('needs https addresses without a fragment (http for this machine only), separated by commas');
  }
  return input;
});

function mayLeadBackTo(address: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}
