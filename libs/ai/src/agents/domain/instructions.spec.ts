import { checkedInstructions, filledInstructions } from './instructions';

describe('instructions', () => {
  it('are filled in once: a value is never looked into again', () => {
    const text = 'For {{ user_name }} of {{workspace_name}}, {{date}}{{space_name}}.';
    expect(filledInstructions(text, { user_name: '{{date}}', workspace_name: 'Quay $& Co', date: '2026-05-01', space_name: null })).toBe(
      'For {{date}} of Quay $& Co, 2026-05-01.',
    );
  });

  it('keep braces that are escaped', () => {
    expect(checkedInstructions('i', 'Write \\{{name}} as it is.')).toBe('Write \\{{name}} as it is.');
    expect(filledInstructions('Write \\{{date}} as it is.', { date: 'x' })).toBe('Write {{date}} as it is.');
  });

  it('leave nothing open that is not filled in', () => {
    expect(() => checkedInstructions('agent_instructions', 'Hello {{name}}, it is {{date}}.')).toThrow('{{name}} is unknown');
    expect(() => checkedInstructions('agent_instructions', 'Hello {{}}.')).toThrow('is unknown');
  });
});
