import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stem } from '../../src/search/text/stem.ts';

describe('stems', () => {
  test.each([
    'concert concerts',
    'dance dances danced dancing',
    'party parties partying partied',
    'comedy comedies',
    'movie movies',
    'cookie cookies',
    'pie pies',
    'hero heroes',
    'taco tacos',
    'box boxes boxed boxing',
    'church churches',
    'class classes',
    'brunch brunches',
    'quiche quiches',
    'gallery galleries',
    'festival festivals',
    'woman women womens',
    'child children childrens',
    'man men mens',
    'wolf wolves',
    'canvas canvases',
    'lens lenses',
    'iris irises',
    'christmas christmases',
    'leaf leaves',
    'stuff stuffs stuffed stuffing',
    'puff puffed puffing',
    'picnic picnics picnicked picnicking',
    'dye dyed',
    'free freed',
    'ox oxen',
    'mouse mice',
    'campus campuses',
    'bus buses',
    'menu menus',
    'dj djs',
    'spa spas',
    'taxi taxis',
    'play plays played playing',
    'study studies studied studying',
    'hope hopes hoped hoping',
    'hop hops hopped hopping',
    'use uses used using',
    'create creates created creating',
    'house houses housed housing',
    'cycle cycles cycled cycling',
    'settle settles settled settling',
    'celebrate celebrates celebrated celebrating',
    'program programs programmed programming',
    'cancel cancels canceled cancelled canceling cancelling',
    'control controls controlled controlling',
    'roll rolls rolled rolling',
    'agree agrees agreed agreeing',
    'open opens opened opening openings',
    'explore explores explored exploring',
    'premiere premieres premiered premiering',
    'serve serves served serving',
    'judge judges judged judging',
    'bathe bathes bathed bathing',
    'value values valued valuing',
    'screen screens screened screening screenings',
    'die dies died dying',
    'evening evenings',
    'wedding weddings',
  ])('%s are one', (forms) => {
    expect(new Set(forms.split(' ').map(stem)).size).toBe(1);
  });

  test.each([
    'venue venus',
    'music musical',
    'university universe universal',
    'organ organization organic',
    'general generation',
    'main maine',
    'on one',
    'us use',
    'well wellness',
    'new news',
    'blue blues',
    'even evening',
    'wed wedding',
    'wick wicked',
    'green greene',
    'horn horne',
    'ann anne',
    'bell belle',
    'tony toni',
    'sky ski',
    'hop hope',
    'plan plane',
    'star stare',
    'mr mrs',
    'ye yes',
    'comedy comedian',
    'new knew',
    'bus but',
    'king sing ring',
    'red reed',
  ])('%s are not', (forms) => {
    const all = forms.split(' ');
    expect(new Set(all.map(stem)).size).toBe(all.length);
  });

  test.each(['go', 'jazz', '2026', 'blink182', 'über', '東', ''])('%s is its own', (word) => {
    expect(stem(word)).toBe(word);
  });

  test('a regular plural is its singular, whatever the word', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrtuvwxz'), minLength: 7, maxLength: 12 });
    fc.assert(
      fc.property(word, (singular) => stem(`${singular}s`) === stem(singular) || /(?:u|i|s|ch|sh|x|z|o|ie)$/.test(singular)),
    );
  });

  test('is never empty', () => {
    const word = fc.string({ unit: fc.constantFrom(...'aeiouysbdginlcr'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, (any) => stem(any).length > 0),
      { numRuns: 5_000 },
    );
  });
});
