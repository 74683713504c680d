export { DE } from './de';
export { EN } from './en';
export { ES } from './es';
export type { Everyday, EverydayQuestion } from './everyday';
export { RU } from './ru';
export { ZH } from './zh';
