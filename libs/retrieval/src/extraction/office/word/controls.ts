import type { XmlElement } from '@atrium/platform/tabular';
import { isOn } from './styles';

/** How a tick is written. */
const tick = (isChecked: boolean): string => (isChecked ? '[x]' : '[ ]');

/** What the properties of a content control say of its tick. */
export class ContentControl {
  isBox = false;
  private isChecked = false;
  private isShown = false;

  read(element: XmlElement): void {
    if (element.name === 'checkbox') this.isBox = true;
    else if (element.name === 'checked' && this.isBox) this.isChecked = isOn(element);
  }

  /** The text that means what the control shows; undefined where that is shown as it is. */
  shown(): string | undefined {
    if (!this.isBox) return undefined;
    if (this.isShown) return '';
    this.isShown = true;
    return tick(this.isChecked);
  }
}

/** What a field of a form of before 2007 says of its tick, or of its choice. */
export class FormField {
  private kind: 'box' | 'list' | undefined;
  private isChecked: boolean | undefined;
  private isUsual = false;
  private usual = 0;
  private result: number | undefined;
  private readonly entries: string[] = [];

  read(element: XmlElement): void {
    const value = element.attribute('val');
    if (element.name === 'checkBox') this.kind = 'box';
    else if (element.name === 'ddList') this.kind = 'list';
    else if (element.name === 'checked') this.isChecked = isOn(element);
    else if (element.name === 'default') {
      this.isUsual = isOn(element);
      this.usual = Number(value) || 0;
    } else if (element.name === 'result') this.result = Number(value) || 0;
    else if (element.name === 'listEntry') this.entries.push(value ?? '');
  }

  get shown(): string {
    if (this.kind === 'box') return tick(this.isChecked ?? this.isUsual);
    return this.kind === 'list' ? (this.entries[this.result ?? this.usual] ?? '') : '';
  }
}
