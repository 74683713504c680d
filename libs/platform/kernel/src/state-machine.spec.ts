import { StateMachine } from './state-machine';

type Light = 'red' | 'green' | 'broken';

describe('StateMachine', () => {
  const light = new StateMachine<Light>('light', { red: ['green', 'broken'], green: ['red', 'broken'] });

  it('allows what its table says, and nothing else', () => {
    expect(light.allows('red', 'green')).toBe(true);
    expect(light.allows('red', 'red')).toBe(false);
    expect(light.allows('broken', 'red')).toBe(false);
  });

  it('answers the new state of a lawful move', () => {
    expect(light.move('green', 'broken')).toBe('broken');
  });

  it('refuses any other with a problem that names both states', () => {
    expect(() => light.move('broken', 'green')).toThrow(
      expect.objectContaining({ code: 'invalid_state', detail: 'The light is broken and cannot become green.' }),
    );
  });

  it('knows which states are final', () => {
    expect(light.isFinal('broken')).toBe(true);
    expect(light.isFinal('red')).toBe(false);
  });
});
