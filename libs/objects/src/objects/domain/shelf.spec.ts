import type { JsonObject } from '@atrium/platform/kernel';
import { rehousedContent } from './shelf';

const object = (obj_form: string, obj_content: JsonObject, obj_shelf: Readonly<Record<string, JsonObject>> = {}) => ({
  obj_form,
  obj_content,
  obj_shelf,
});
const schema = (form_id: string, fitting: readonly string[], own: readonly string[] = []) => ({
  form_id,
  fitting: new Set(fitting),
  own: new Set(own),
});

describe('an object under another schema', () => {
  it('takes along what fits, and finds the rest again when it comes back', () => {
    const there = rehousedContent(object('a', { name: 'Lamp', size: 'large', note: 'x' }), schema('b', ['name']));
    expect(there.obj_content).toEqual({ name: 'Lamp' });
    const grown = { ...there, obj_form: 'b', obj_content: { name: 'Lamp 2', size: 3 } };
    const back = rehousedContent(grown, schema('a', ['name']));
    expect(back).toEqual({ obj_content: { name: 'Lamp 2', size: 'large', note: 'x' }, obj_shelf: { b: { size: 3 } } });
  });

  it('loses nothing on its way over a third one', () => {
    const second = { obj_form: 'b', ...rehousedContent(object('a', { size: 'large' }), schema('b', [])) };
    const third = { obj_form: 'c', ...rehousedContent(second, schema('c', [])) };
    expect(rehousedContent(third, schema('a', [])).obj_content).toEqual({ size: 'large' });
  });

  it('has the number again that its schema gave it, also where the number went along', () => {
    const there = { obj_form: 'b', ...rehousedContent(object('a', { no: 1 }), schema('b', ['no'], ['no'])) };
    expect(there.obj_content).toEqual({ no: 1 });
    expect(rehousedContent({ ...there, obj_content: { no: 9 } }, schema('a', [])).obj_content).toEqual({ no: 1 });
  });

  it('stays as it is under its own', () => {
    expect(rehousedContent(object('a', { x: 1 }, { b: { y: 2 } }), schema('a', []))).toEqual({
      obj_content: { x: 1 },
      obj_shelf: { b: { y: 2 } },
    });
  });
});
