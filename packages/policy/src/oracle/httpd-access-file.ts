/** A .htaccess file for an httpd that uses another file of users. */
export function httpdAccessFile(text: string, usersFile: string): string {
  return text
    .replace(/^([ \t]*)AuthUserFile[ \t].*$/gim, `$1AuthUserFile "${usersFile}"`)
    .replace(/^([ \t]*)AuthBasicProvider[ \t].*$/gim, '$1AuthBasicProvider file')
}
