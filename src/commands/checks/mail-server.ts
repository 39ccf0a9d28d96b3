/** Whether e-mails go out. */

import type { Config } from '../../config.ts';
import { checkMailServer, senderOfEmails } from '../../mail/index.ts';
import { baseUrl } from '../../values/base-url.ts';

export async function describeMail({ smtpUrl, mailFrom, publicUrl, host, port }: Config): Promise<string> {
  if (smtpUrl === null) return 'none; emails become files in the data folder';
  const { hostname } = new URL(smtpUrl);
  const from = mailFrom ?? senderOfEmails(publicUrl ?? baseUrl(host, port));
  const fault = await checkMailServer(smtpUrl, from);
  return fault === null ? `${hostname} takes emails from ${from}` : `${hostname} DOES NOT TAKE emails: ${fault}`;
}
