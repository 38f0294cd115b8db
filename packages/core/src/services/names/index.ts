export { clientNameOf, knownClientName, onlyProved, provedName, reportedName } from './client-name.ts'
export { NameService } from './name-service.ts'
export { NAME_SERVERS_VARIABLE, type NameSettings, nameSettingsOf } from './name-settings.ts'
