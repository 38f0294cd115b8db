export type { Analyser, Checked, Job, Migrated, Subject, Texts, Trouble, WhoJob } from './analysis.ts'
export type { CatalogueData } from './catalogue/catalogue.ts'
export { type ManualEntry, readManual } from './catalogue/manual.ts'
export { type LanguageServerOptions, serveLanguage } from './server/serve-language.ts'
