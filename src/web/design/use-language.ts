import { createContext, useContext } from 'react';
import { addressInLanguage } from '../model/choose-language.ts';
import { FALLBACK_LANGUAGE, type Formats, type PageLanguage, type Text } from '../model/page-language.ts';
import { pageLanguage } from './catalogues.ts';
import { useRoot } from './use-root.ts';

/** The language of the page around a component: the reader's below `pages/city-layout.tsx`, English elsewhere. */
export const LanguageContext = createContext<PageLanguage | null>(null);

/** Whether the page is one of the city's, which readers choose a language for. */
export const useIsTranslated = (): boolean => useContext(LanguageContext) !== null;

export const useLanguage = (): PageLanguage => useContext(LanguageContext) ?? pageLanguage(FALLBACK_LANGUAGE);

/** `text('search.count', { count })` */
export const useText = (): Text => useLanguage().text;

/** Dates, numbers and money. */
export const useFormats = (): Formats => useLanguage().formats;

/** For `lang` of texts that come from sources: titles, descriptions, names. They are in the city's language, as far as we know. */
export function useSourceLanguage(): string | undefined {
  const { code } = useLanguage();
  const language = useRoot()?.city.language;
  return language === code ? undefined : language;
}

/** The canonical address of a page: its own in each language (`?lang=de`) if a language was asked for by address. */
export function useCanonical(address: string): string {
  return addressInLanguage(address, useRoot()?.languageOfAddress ?? null);
}
