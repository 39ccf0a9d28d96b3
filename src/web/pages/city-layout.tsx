/** The pages of the city. They are in the reader's language (`root.tsx`); those of `layout.tsx` are in English. */
export { default } from './layout.tsx';

export const handle = { isTranslated: true };
