import t from 'tap'
import { type Scheme, verifyPassword } from '../src/index.ts'

const VECTORS: readonly { scheme: Scheme; stored: string }[] = [
  { scheme: 'bcrypt', stored: '$2y$05$8jRA6YhUNnCthZP5LFTxD.Zs1eiTjApDCumXLRLQ9PDiU8to4sl/m' },
  { scheme: 'bcrypt', stored: '$2y$04$cPtfiJ59r0w7aGX0rB5fhufI4dKCrKcJf4D.Nr1gajBH5W795chIm' },
  { scheme: 'bcrypt', stored: '$2a$04$cPtfiJ59r0w7aGX0rB5fhufI4dKCrKcJf4D.Nr1gajBH5W795chIm' },
  { scheme: 'bcrypt', stored: '$2b$04$cPtfiJ59r0w7aGX0rB5fhufI4dKCrKcJf4D.Nr1gajBH5W795chIm' },
  { scheme: 'bcrypt', stored: '$2x$04$cPtfiJ59r0w7aGX0rB5fhufI4dKCrKcJf4D.Nr1gajBH5W795chIm' },
  { scheme: 'apr1', stored: '$apr1$rAXyf0pO$9HzFkYBB/6rQxgFnHsiHp1' },
  { scheme: 'apr1', stored: '$apr1$saltsalt$hF4ZMnKLHlHxrvROfXcJl1' },
  { scheme: 'sha', stored: '{SHA}SdelG11DWs/tM6ZR6bjLYBo+hGI=' },
  { scheme: 'crypt', stored: 'Pe0L5GCw5oCxE' },
  { scheme: 'sha256', stored: '$5$sK8AVKmOQ9UBOjVi$79QWN/H9GELGFAQMzHpU31xnC7g1T81lsTO8TRMo3q/' },
  {
    scheme: 'sha512',
    stored: '$6$FnKOqYRJPvtt2e/E$W6TGT5nriV7jyynxcIk/RSXPBhtIvmPCrr.iEFWTxBHY7XTGwzAcFlcqjhDPWn71dOGRk8uZcXOIxaHANWVbi1',
  },
  {
    scheme: 'sha512',
    stored:
      '$6$rounds=1000$/WZdEbw75UsI9ZZh$cltFe15LZW1zuIZbXhP/0b/26o94XRlUnrVgKdZmk1Z1AjGUq0vl1sjTGP1VNQauwpZLeHBrUcneI/WTbxY0R.',
  },
  { scheme: 'md5', stored: '$1$saltsalt$UZNf.MIBXdR3EZhujQnkJ0' },
  { scheme: 'sha256', stored: '$5$saltsalt$UfCikzdTpzRjxb1xu59gAwPSFjeX6eKuWvPeFrNUp1C' },
  {
    scheme: 'sha512',
    stored: '$6$saltsalt$nzL1FJvH7Kag7k3uvQ0OEhxNfUli2fS4zpStop37L7wLYm.vbBe1kPc908d1qB64iABuqXRUCEi9feV/lGlGN.',
  },
]

t.test('every text of the reference server accepts its password and refuses a wrong or a longer one', (t) => {
  for (const { scheme, stored } of VECTORS) {
    t.equal(verifyPassword(stored, Buffer.from('Gate-w8!')), true, `${stored} accepts`)
    t.equal(verifyPassword(stored, Buffer.from('nope')), false, `${stored} refuses another password`)
    t.equal(verifyPassword(stored, Buffer.alloc(0)), false, `${stored} refuses the empty password`)
    t.equal(verifyPassword(stored, Buffer.from('Gate-w8!XX')), scheme === 'crypt', `${stored} and a longer password`)
  }
  t.end()
})

t.test('a text with one character changed, missing or added refuses the password it was made for', (t) => {
  const password = Buffer.from('Gate-w8!')
  for (const { stored } of VECTORS) {
    const last = stored.at(-1) === 'A' ? 'B' : 'A'
    t.equal(verifyPassword(stored.slice(0, -1) + last, password), false, `${stored} changed`)
    t.equal(verifyPassword(stored.slice(0, -1), password), false, `${stored} shortened`)
    t.equal(verifyPassword(`${stored}.`, password), false, `${stored} lengthened`)
    t.equal(verifyPassword(` ${stored}`, password), false, `${stored} after a blank`)
  }
  t.end()
})

t.test('the published sha-crypt samples hold, in the form whose salt has been cut to sixteen characters', (t) => {
  const password = Buffer.from('Hello world!')
  for (const stored of [
    '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5',
    '$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA',
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ]) {
    t.equal(verifyPassword(stored, password), true, stored)
  }
  const uncut = '$5$rounds=10000$saltstringsaltstring$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA'
  t.equal(verifyPassword(uncut, password), false, 'crypt(3) never gives the longer form back')
  t.end()
})

t.test('DES crypt ignores the eighth bit of every byte and everything after the eighth byte', (t) => {
  t.equal(verifyPassword('abdFI.mXJaEwo', Buffer.from('ibc')), true)
  t.equal(verifyPassword('abdFI.mXJaEwo', Buffer.from([0xe9, 0x62, 0x63])), true)
  t.equal(verifyPassword('abdFI.mXJaEwo', Buffer.from('hbc')), false)
  t.equal(verifyPassword('abM.kUMZnioHA', Buffer.from('hello world 12')), true)
  t.equal(verifyPassword('abM.kUMZnioHA', Buffer.from('hello wo')), true)
  t.equal(verifyPassword('abM.kUMZnioHA', Buffer.from('hello w')), false)
  t.end()
})
