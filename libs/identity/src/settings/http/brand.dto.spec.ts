import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { BrandBody } from './brand.dto';

const color = (key: string, hex: string, role: string): object => ({ key, name: key, hex, role });
const font = (more: object): object => ({ role: 'body', family: 'Inter', source: 'web', ...more });
const logo = (more: object): object => ({ role: 'primary', file_id: newId(), ...more });

describe('a brand', () => {
  it.each<[string, object, string, string]>([
    ['a color of three digits', { colors: [color('ink', '#777', 'text')] }, 'colors[0].hex', 'too_short'],
    ['the name of a color', { colors: [color('ink', 'red', 'text')] }, 'colors[0].hex', 'too_short'],
    ['a key with a space', { colors: [color('Ink Blue', '#777777', 'text')] }, 'colors[0].key', 'pattern'],
    ['a role that does not exist', { colors: [color('ink', '#777777', 'headline')] }, 'colors[0].role', 'choice'],
    ['65 colors', { colors: Array.from({ length: 65 }, (_, i) => color(`c${i}`, '#777777', 'other')) }, 'colors', 'too_many'],
    ['a word in the place of colors', { colors: 'red' }, 'colors', 'array'],
    ['17 fonts', { fonts: Array.from({ length: 17 }, () => font({})) }, 'fonts', 'too_many'],
    ['a weight in words', { fonts: [font({ weights: [400, 'bold'] })] }, 'fonts[0].weights', 'integer'],
    ['a logo of no width', { logos: [logo({ min_width_px: 0 })] }, 'logos[0].min_width_px', 'too_small'],
    ['a background that does not exist', { logos: [logo({ background: 'plaid' })] }, 'logos[0].background', 'choice'],
    ['a tagline of 256 characters', { tagline: 'x'.repeat(256) }, 'tagline', 'too_long'],
    ['an unknown part of its voice', { voice: { mood: 'calm' } }, 'voice.mood', 'unknown_field'],
    ['an unknown part', { slogan: 'x' }, 'slogan', 'unknown_field'],
  ])('is refused with %s', async (_, body, path, code) => {
    expect(await faultsOfBody(BrandBody, body)).toMatchObject([{ path, code }]);
  });
});
