/** A page tag by tag, without a tree: so that the time is linear however tags are nested. */

import { Tokenizer } from 'htmlparser2';

export interface TagHandlers {
  /** Attributes that are looked at. */
  wants(tag: string, attribute: string): boolean;
  /** Names in small letters; of two attributes of one name the first counts (HTML §13.2.5.33). */
  open(tag: string, attributes: ReadonlyMap<string, string>): void;
  close(tag: string): void;
  /** In pieces; entities decoded, but as written inside a script. */
  text(piece: string): void;
}

/** A script ends at `</script`, wherever that stands (HTML §13.2.5.15 to 13.2.5.31); what is in a comment is not walked. */
export function walkTags(html: string, handlers: TagHandlers): void {
  let tag = '';
  let attribute = '';
  let value = '';
  let attributes = new Map<string, string>();
  const nameOf = (start: number, end: number) => (end - start > MAX_NAME_LENGTH ? '' : html.slice(start, end).toLowerCase());
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = nameOf(start, end);
        attributes = new Map();
      },
      onattribname(start, end) {
        const name = nameOf(start, end);
        attribute = handlers.wants(tag, name) ? name : '';
        value = '';
      },
      onattribdata(start, end) {
        if (attribute !== '') value += html.slice(start, end);
      },
      onattribentity(code) {
        if (attribute !== '') value += String.fromCodePoint(code);
      },
      onattribend() {
        if (attribute !== '' && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: () => handlers.open(tag, attributes),
      onselfclosingtag: () => handlers.open(tag, attributes),
      ontext: (start, end) => handlers.text(html.slice(start, end)),
      ontextentity: (code) => handlers.text(String.fromCodePoint(code)),
      onclosetag: (start, end) => handlers.close(nameOf(start, end)),
      onend() {},
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

const MAX_NAME_LENGTH = 64;
