/** The one way to read a form that was sent. */

import { refusal } from './refusal.ts';

/** Throws 400 for a body that is no form, or none that can be read. */
export async function readFormData(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw refusal(400, 'This form cannot be read.');
  });
}

/** The fields of a form that was sent; files and missing fields are empty text. */
export async function readForm(request: Request): Promise<(name: string) => string> {
  const form = await readFormData(request);
  return (name) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
}
