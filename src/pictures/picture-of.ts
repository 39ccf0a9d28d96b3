/** Which picture stands for an event on pages: the source's, through this service, or a poster. */

import { hash } from 'node:crypto';
import { type Category, runKey } from '../records/index.ts';
import { widePosterName } from './posters/name.ts';
import { PICTURE_RATIO } from './posters/poster.ts';

/** What is needed of an event as the API answers it. */
export interface PicturedEvent {
  id: string;
  title: string;
  category: Category;
  /** Absolute, or a path of this service. */
  imageUrl: string | null;
  venue: { id: string };
}

/** Each is 4:3. Paths, without a host: put the public URL before them where another site shows them. */
export interface EventPicture {
  src: string;
  /** For `srcset`; null where one file fits every width. */
  srcSet: string | null;
  width: number;
  height: number;
  /** Empty for a poster, which is a decoration. */
  alt: string;
  isPoster: boolean;
}

/** `publicUrl` without a trailing slash. A pure function: nothing is fetched. */
export function pictureOf(event: PicturedEvent, publicUrl: string): EventPicture {
  const width = PICTURE_WIDTHS[1];
  const size = { width, height: width / PICTURE_RATIO };
  const source = sourcePictureOf(event.imageUrl, publicUrl);
  if (source === null) return { ...size, src: posterPath(event), srcSet: null, alt: '', isPoster: true };
  const at = (wide: number): string => picturePath(event.id, source, wide);
  const srcSet = PICTURE_WIDTHS.map((wide) => `${at(wide)} ${wide}w`).join(', ');
  return { ...size, src: at(width), srcSet, alt: event.title, isPoster: false };
}

/** The address of the source's picture; null where there is none, or where it is a poster of this service. */
export function sourcePictureOf(imageUrl: string | null, publicUrl: string): string | null {
  if (imageUrl === null || imageUrl.startsWith('/') || imageUrl.startsWith(`${publicUrl}/`)) return null;
  return imageUrl;
}

export const posterPath = ({ category, venue, title }: PicturedEvent): string =>
  `/posters/${widePosterName(category, venue.id, runKey(title))}.svg`;

const picturePath = (eventId: string, source: string, width: number): string =>
  `/images/${eventId}/${pictureVersion(source)}/${width}.webp`;

/** Changes with the address of the picture, so that a file under one address never changes. */
export const pictureVersion = (source: string): string => hash('sha256', source, 'hex').slice(0, VERSION_CHARS);

/** Pixels. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];
const VERSION_CHARS = 10;
