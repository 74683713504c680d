import { contrastRatio, inkOn, pageColors } from './page-colors';

const color = (role: 'primary' | 'background' | 'accent', hex: string) => ({ role, hex });

describe('colours of a page', () => {
  it.each(['#ffe600', '#ffffff', '#000000', '#e2001a', '#00a0ff', '#1a1a1a', '#ffe60080'])(
    'of the brand colour %s can be read by day and by night, as text and under it',
    (hex) => {
      const colors = pageColors([color('primary', hex)]);
      expect(contrastRatio(`#${colors?.day}`, '#fbfbfa')).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(`#${colors?.night}`, '#141618')).toBeGreaterThanOrEqual(4.5);
      for (const accent of [colors?.day ?? '', colors?.night ?? ''])
        expect(contrastRatio(`#${accent}`, `#${inkOn(accent)}`)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('are the very ones of the brand where they can be read', () => {
    expect(pageColors([color('primary', '#0b5fa5')])?.day).toBe('0b5fa5');
    expect(pageColors([color('accent', '#0b5fa5')])?.day).toBe('0b5fa5');
    expect(pageColors([])).toBeNull();
  });

  it('take a paper only where text can be read on it', () => {
    expect(pageColors([color('background', '#fff8ee')])?.paper).toBe('fff8ee');
    expect(pageColors([color('background', '#202020'), color('primary', '#0b5fa5')])?.paper).toBeNull();
  });
});
