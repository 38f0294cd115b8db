/**
 * Object identifiers with the short and the long name that OpenSSL gives them: attribute types of names, extensions, purposes,
 * algorithms. An identifier that is missing here is printed in numbers.
 */
export interface ObjectName {
  /** What a distinguished name shows, for instance `CN` or `emailAddress`. */
  readonly short: string
  /** What mod_ssl shows for algorithms, for instance `sha256WithRSAEncryption`. */
  readonly long: string
}

/** @param oid in dotted decimals @returns the names, or undefined for an identifier that is not in the table */
export function objectName(oid: string): ObjectName | undefined {
  return BY_OID.get(oid)
}

/** @param name a short or long name, or dotted decimals @returns the identifier in dotted decimals, or undefined for an unknown name */
export function objectIdentifier(name: string): string | undefined {
  return BY_NAME.get(name) ?? (/^[0-2](?:\.\d+)+$/.test(name) ? name : undefined)
}

// One line for each object: identifier, short name, and the long name if it differs.
const TABLE = `
0.9.2342.19200300.100.1.1|UID|userId
0.9.2342.19200300.100.1.2|textEncodedORAddress
0.9.2342.19200300.100.1.3|mail|rfc822Mailbox
0.9.2342.19200300.100.1.4|info
0.9.2342.19200300.100.1.5|favouriteDrink
0.9.2342.19200300.100.1.6|roomNumber
0.9.2342.19200300.100.1.7|photo
0.9.2342.19200300.100.1.8|userClass
0.9.2342.19200300.100.1.9|host
0.9.2342.19200300.100.1.10|manager
0.9.2342.19200300.100.1.11|documentIdentifier
0.9.2342.19200300.100.1.12|documentTitle
0.9.2342.19200300.100.1.13|documentVersion
0.9.2342.19200300.100.1.14|documentAuthor
0.9.2342.19200300.100.1.15|documentLocation
0.9.2342.19200300.100.1.20|homeTelephoneNumber
0.9.2342.19200300.100.1.21|secretary
0.9.2342.19200300.100.1.22|otherMailbox
0.9.2342.19200300.100.1.23|lastModifiedTime
0.9.2342.19200300.100.1.24|lastModifiedBy
0.9.2342.19200300.100.1.25|DC|domainComponent
0.9.2342.19200300.100.1.26|aRecord
0.9.2342.19200300.100.1.27|pilotAttributeType27
0.9.2342.19200300.100.1.28|mXRecord
0.9.2342.19200300.100.1.29|nSRecord
0.9.2342.19200300.100.1.30|sOARecord
0.9.2342.19200300.100.1.31|cNAMERecord
0.9.2342.19200300.100.1.37|associatedDomain
0.9.2342.19200300.100.1.38|associatedName
0.9.2342.19200300.100.1.39|homePostalAddress
0.9.2342.19200300.100.1.40|personalTitle
0.9.2342.19200300.100.1.41|mobileTelephoneNumber
0.9.2342.19200300.100.1.42|pagerTelephoneNumber
0.9.2342.19200300.100.1.43|friendlyCountryName
0.9.2342.19200300.100.1.44|uid|uniqueIdentifier
0.9.2342.19200300.100.1.45|organizationalStatus
0.9.2342.19200300.100.1.46|janetMailbox
0.9.2342.19200300.100.1.47|mailPreferenceOption
0.9.2342.19200300.100.1.48|buildingName
0.9.2342.19200300.100.1.49|dSAQuality
0.9.2342.19200300.100.1.50|singleLevelQuality
0.9.2342.19200300.100.1.51|subtreeMinimumQuality
0.9.2342.19200300.100.1.52|subtreeMaximumQuality
0.9.2342.19200300.100.1.53|personalSignature
0.9.2342.19200300.100.1.54|dITRedirect
0.9.2342.19200300.100.1.55|audio
0.9.2342.19200300.100.1.56|documentPublisher
0.9.2342.19200300.100.1|pilotAttributeType
1.2.156.10197.1.301|SM2|sm2
1.2.156.10197.1.501|SM2-SM3|SM2-with-SM3
1.2.643.3.131.1.1|INN
1.2.643.7.1.1.3.2|id-tc26-signwithdigest-gost3410-2012-256|GOST R 34.10-2012 with GOST R 34.11-2012 (256 bit)
1.2.643.7.1.1.3.3|id-tc26-signwithdigest-gost3410-2012-512|GOST R 34.10-2012 with GOST R 34.11-2012 (512 bit)
1.2.643.7.1.1.3|id-tc26-signwithdigest
1.2.643.100.1|OGRN
1.2.643.100.3|SNILS
1.2.643.100.5|OGRNIP
1.2.643.100.111|subjectSignTool|Signing Tool of Subject
1.2.643.100.112|issuerSignTool|Signing Tool of Issuer
1.2.643.100.113.1|classSignToolKC1|Class of Signing Tool KC1
1.2.643.100.113.2|classSignToolKC2|Class of Signing Tool KC2
1.2.643.100.113.3|classSignToolKC3|Class of Signing Tool KC3
1.2.643.100.113.4|classSignToolKB1|Class of Signing Tool KB1
1.2.643.100.113.5|classSignToolKB2|Class of Signing Tool KB2
1.2.643.100.113.6|classSignToolKA1|Class of Signing Tool KA1
1.2.643.100.113|classSignTool|Class of Signing Tool
1.2.840.10040.4.1|DSA|dsaEncryption
1.2.840.10040.4.3|DSA-SHA1|dsaWithSHA1
1.2.840.10040.4|X9cm|X9.57 CM ?
1.2.840.10045.2.1|id-ecPublicKey
1.2.840.10045.3.1.1|prime192v1
1.2.840.10045.3.1.2|prime192v2
1.2.840.10045.3.1.3|prime192v3
1.2.840.10045.3.1.4|prime239v1
1.2.840.10045.3.1.5|prime239v2
1.2.840.10045.3.1.6|prime239v3
1.2.840.10045.3.1.7|prime256v1
1.2.840.10045.4.1|ecdsa-with-SHA1
1.2.840.10045.4.2|ecdsa-with-Recommended
1.2.840.10045.4.3.1|ecdsa-with-SHA224
1.2.840.10045.4.3.2|ecdsa-with-SHA256
1.2.840.10045.4.3.3|ecdsa-with-SHA384
1.2.840.10045.4.3.4|ecdsa-with-SHA512
1.2.840.10045.4.3|ecdsa-with-Specified
1.2.840.113549.1.1.1|rsaEncryption
1.2.840.113549.1.1.2|RSA-MD2|md2WithRSAEncryption
1.2.840.113549.1.1.3|RSA-MD4|md4WithRSAEncryption
1.2.840.113549.1.1.4|RSA-MD5|md5WithRSAEncryption
1.2.840.113549.1.1.5|RSA-SHA1|sha1WithRSAEncryption
1.2.840.113549.1.1.6|rsaOAEPEncryptionSET
1.2.840.113549.1.1.7|RSAES-OAEP|rsaesOaep
1.2.840.113549.1.1.8|MGF1|mgf1
1.2.840.113549.1.1.9|PSPECIFIED|pSpecified
1.2.840.113549.1.1.10|RSASSA-PSS|rsassaPss
1.2.840.113549.1.1.11|RSA-SHA256|sha256WithRSAEncryption
1.2.840.113549.1.1.12|RSA-SHA384|sha384WithRSAEncryption
1.2.840.113549.1.1.13|RSA-SHA512|sha512WithRSAEncryption
1.2.840.113549.1.1.14|RSA-SHA224|sha224WithRSAEncryption
1.2.840.113549.1.1.15|RSA-SHA512/224|sha512-224WithRSAEncryption
1.2.840.113549.1.1.16|RSA-SHA512/256|sha512-256WithRSAEncryption
1.2.840.113549.1.1|pkcs1
1.2.840.113549.1.9.1|emailAddress
1.2.840.113549.1.9.2|unstructuredName
1.2.840.113549.1.9.3|contentType
1.2.840.113549.1.9.4|messageDigest
1.2.840.113549.1.9.5|signingTime
1.2.840.113549.1.9.6|countersignature
1.2.840.113549.1.9.7|challengePassword
1.2.840.113549.1.9.8|unstructuredAddress
1.2.840.113549.1.9.9|extendedCertificateAttributes
1.2.840.113549.1.9.14|extReq|Extension Request
1.2.840.113549.1.9.15|SMIME-CAPS|S/MIME Capabilities
1.2.840.113549.1.9.16|SMIME|S/MIME
1.2.840.113549.1.9.20|friendlyName
1.2.840.113549.1.9.21|localKeyID
1.2.840.113549.1.9.22.1|x509Certificate
1.2.840.113549.1.9.22.2|sdsiCertificate
1.2.840.113549.1.9.23.1|x509Crl
1.2.840.113549.1.9|pkcs9
1.2.840.113549.2.2|MD2|md2
1.2.840.113549.2.4|MD4|md4
1.2.840.113549.2.5|MD5|md5
1.2.840.113549.2.6|hmacWithMD5
1.2.840.113549.2.7|hmacWithSHA1
1.2.840.113549.2.8|hmacWithSHA224
1.2.840.113549.2.9|hmacWithSHA256
1.2.840.113549.2.10|hmacWithSHA384
1.2.840.113549.2.11|hmacWithSHA512
1.2.840.113549.2.12|hmacWithSHA512-224
1.2.840.113549.2.13|hmacWithSHA512-256
1.3.6.1.4.1.311.2.1.14|msExtReq|Microsoft Extension Request
1.3.6.1.4.1.311.2.1.21|msCodeInd|Microsoft Individual Code Signing
1.3.6.1.4.1.311.2.1.22|msCodeCom|Microsoft Commercial Code Signing
1.3.6.1.4.1.311.10.3.1|msCTLSign|Microsoft Trust List Signing
1.3.6.1.4.1.311.10.3.3|msSGC|Microsoft Server Gated Crypto
1.3.6.1.4.1.311.10.3.4|msEFS|Microsoft Encrypted File System
1.3.6.1.4.1.311.17.1|CSPName|Microsoft CSP Name
1.3.6.1.4.1.311.17.2|LocalKeySet|Microsoft Local Key set
1.3.6.1.4.1.311.20.2.2|msSmartcardLogin|Microsoft Smartcard Login
1.3.6.1.4.1.311.20.2.3|msUPN|Microsoft User Principal Name
1.3.6.1.4.1.311.60.2.1.1|jurisdictionL|jurisdictionLocalityName
1.3.6.1.4.1.311.60.2.1.2|jurisdictionST|jurisdictionStateOrProvinceName
1.3.6.1.4.1.311.60.2.1.3|jurisdictionC|jurisdictionCountryName
1.3.6.1.4.1.1722.12.2.1.16|BLAKE2b512|blake2b512
1.3.6.1.4.1.1722.12.2.1|BLAKE2BMAC|blake2bmac
1.3.6.1.4.1.1722.12.2.2.8|BLAKE2s256|blake2s256
1.3.6.1.4.1.1722.12.2.2|BLAKE2SMAC|blake2smac
1.3.6.1.4.1.11129.2.4.2|ct_precert_scts|CT Precertificate SCTs
1.3.6.1.4.1.11129.2.4.3|ct_precert_poison|CT Precertificate Poison
1.3.6.1.4.1.11129.2.4.4|ct_precert_signer|CT Precertificate Signer
1.3.6.1.4.1.11129.2.4.5|ct_cert_scts|CT Certificate SCTs
1.3.6.1.5.2.3.4|pkInitClientAuth|PKINIT Client Auth
1.3.6.1.5.2.3.5|pkInitKDC|Signing KDC Response
1.3.6.1.5.2.3|id-pkinit
1.3.6.1.5.5.7.1.1|authorityInfoAccess|Authority Information Access
1.3.6.1.5.5.7.1.2|biometricInfo|Biometric Info
1.3.6.1.5.5.7.1.3|qcStatements
1.3.6.1.5.5.7.1.4|ac-auditEntity
1.3.6.1.5.5.7.1.5|ac-targeting
1.3.6.1.5.5.7.1.6|aaControls
1.3.6.1.5.5.7.1.7|sbgp-ipAddrBlock
1.3.6.1.5.5.7.1.8|sbgp-autonomousSysNum
1.3.6.1.5.5.7.1.9|sbgp-routerIdentifier
1.3.6.1.5.5.7.1.10|ac-proxying
1.3.6.1.5.5.7.1.11|subjectInfoAccess|Subject Information Access
1.3.6.1.5.5.7.1.14|proxyCertInfo|Proxy Certificate Information
1.3.6.1.5.5.7.1.24|tlsfeature|TLS Feature
1.3.6.1.5.5.7.1.28|sbgp-ipAddrBlockv2
1.3.6.1.5.5.7.1.29|sbgp-autonomousSysNumv2
1.3.6.1.5.5.7.1|id-pe
1.3.6.1.5.5.7.3.1|serverAuth|TLS Web Server Authentication
1.3.6.1.5.5.7.3.2|clientAuth|TLS Web Client Authentication
1.3.6.1.5.5.7.3.3|codeSigning|Code Signing
1.3.6.1.5.5.7.3.4|emailProtection|E-mail Protection
1.3.6.1.5.5.7.3.5|ipsecEndSystem|IPSec End System
1.3.6.1.5.5.7.3.6|ipsecTunnel|IPSec Tunnel
1.3.6.1.5.5.7.3.7|ipsecUser|IPSec User
1.3.6.1.5.5.7.3.8|timeStamping|Time Stamping
1.3.6.1.5.5.7.3.9|OCSPSigning|OCSP Signing
1.3.6.1.5.5.7.3.10|DVCS|dvcs
1.3.6.1.5.5.7.3.17|ipsecIKE|ipsec Internet Key Exchange
1.3.6.1.5.5.7.3.18|capwapAC|Ctrl/provision WAP Access
1.3.6.1.5.5.7.3.19|capwapWTP|Ctrl/Provision WAP Termination
1.3.6.1.5.5.7.3.21|secureShellClient|SSH Client
1.3.6.1.5.5.7.3.22|secureShellServer|SSH Server
1.3.6.1.5.5.7.3.23|sendRouter|Send Router
1.3.6.1.5.5.7.3.24|sendProxiedRouter|Send Proxied Router
1.3.6.1.5.5.7.3.25|sendOwner|Send Owner
1.3.6.1.5.5.7.3.26|sendProxiedOwner|Send Proxied Owner
1.3.6.1.5.5.7.3.27|cmcCA|CMC Certificate Authority
1.3.6.1.5.5.7.3.28|cmcRA|CMC Registration Authority
1.3.6.1.5.5.7.3.29|cmcArchive|CMC Archive Server
1.3.6.1.5.5.7.3.30|id-kp-bgpsec-router|BGPsec Router
1.3.6.1.5.5.7.3.31|id-kp-BrandIndicatorforMessageIdentification|Brand Indicator for Message Identification
1.3.6.1.5.5.7.3.32|cmKGA|Certificate Management Key Generation Authority
1.3.6.1.5.5.7.3|id-kp
1.3.6.1.5.5.7.8.1|id-on-personalData
1.3.6.1.5.5.7.8.3|id-on-permanentIdentifier|Permanent Identifier
1.3.6.1.5.5.7.8.5|id-on-xmppAddr|XmppAddr
1.3.6.1.5.5.7.8.7|id-on-dnsSRV|SRVName
1.3.6.1.5.5.7.8.8|id-on-NAIRealm|NAIRealm
1.3.6.1.5.5.7.8.9|id-on-SmtpUTF8Mailbox|Smtp UTF8 Mailbox
1.3.6.1.5.5.7.48.1.1|basicOCSPResponse|Basic OCSP Response
1.3.6.1.5.5.7.48.1.2|Nonce|OCSP Nonce
1.3.6.1.5.5.7.48.1.3|CrlID|OCSP CRL ID
1.3.6.1.5.5.7.48.1.4|acceptableResponses|Acceptable OCSP Responses
1.3.6.1.5.5.7.48.1.5|noCheck|OCSP No Check
1.3.6.1.5.5.7.48.1.6|archiveCutoff|OCSP Archive Cutoff
1.3.6.1.5.5.7.48.1.7|serviceLocator|OCSP Service Locator
1.3.6.1.5.5.7.48.1.8|extendedStatus|Extended OCSP Status
1.3.6.1.5.5.7.48.1.9|valid
1.3.6.1.5.5.7.48.1.10|path
1.3.6.1.5.5.7.48.1.11|trustRoot|Trust Root
1.3.6.1.5.5.7.48.1|OCSP
1.3.6.1.5.5.7.48.2|caIssuers|CA Issuers
1.3.6.1.5.5.7.48.3|ad_timestamping|AD Time Stamping
1.3.6.1.5.5.7.48.4|AD_DVCS|ad dvcs
1.3.6.1.5.5.7.48.5|caRepository|CA Repository
1.3.6.1.5.5.7.48.10|rpkiManifest|RPKI Manifest
1.3.6.1.5.5.7.48.11|signedObject|Signed Object
1.3.6.1.5.5.7.48.13|rpkiNotify|RPKI Notify
1.3.6.1.5.5.7.48|id-ad
1.3.14.3.2.3|RSA-NP-MD5|md5WithRSA
1.3.14.3.2.26|SHA1|sha1
1.3.14.3.2.27|DSA-SHA1-old|dsaWithSHA1-old
1.3.14.3.2.29|RSA-SHA1-2|sha1WithRSA
1.3.14.3.2|algorithm
1.3.36.3.3.2.8.1.1.1|brainpoolP160r1
1.3.36.3.3.2.8.1.1.2|brainpoolP160t1
1.3.36.3.3.2.8.1.1.3|brainpoolP192r1
1.3.36.3.3.2.8.1.1.4|brainpoolP192t1
1.3.36.3.3.2.8.1.1.5|brainpoolP224r1
1.3.36.3.3.2.8.1.1.6|brainpoolP224t1
1.3.36.3.3.2.8.1.1.7|brainpoolP256r1
1.3.36.3.3.2.8.1.1.8|brainpoolP256t1
1.3.36.3.3.2.8.1.1.9|brainpoolP320r1
1.3.36.3.3.2.8.1.1.10|brainpoolP320t1
1.3.36.3.3.2.8.1.1.11|brainpoolP384r1
1.3.36.3.3.2.8.1.1.12|brainpoolP384t1
1.3.36.3.3.2.8.1.1.13|brainpoolP512r1
1.3.36.3.3.2.8.1.1.14|brainpoolP512t1
1.3.101.1.4.1|SXNetID|Strong Extranet ID
1.3.101.110|X25519
1.3.101.111|X448
1.3.101.112|ED25519
1.3.101.113|ED448
1.3.132.0.34|secp384r1
1.3.132.0.35|secp521r1
1.3.132.0.36|sect409k1
1.3.132.0.37|sect409r1
1.3.132.0.38|sect571k1
1.3.132.0.39|sect571r1
2.5.4.3|CN|commonName
2.5.4.4|SN|surname
2.5.4.5|serialNumber
2.5.4.6|C|countryName
2.5.4.7|L|localityName
2.5.4.8|ST|stateOrProvinceName
2.5.4.9|street|streetAddress
2.5.4.10|O|organizationName
2.5.4.11|OU|organizationalUnitName
2.5.4.12|title
2.5.4.13|description
2.5.4.14|searchGuide
2.5.4.15|businessCategory
2.5.4.16|postalAddress
2.5.4.17|postalCode
2.5.4.18|postOfficeBox
2.5.4.19|physicalDeliveryOfficeName
2.5.4.20|telephoneNumber
2.5.4.21|telexNumber
2.5.4.22|teletexTerminalIdentifier
2.5.4.23|facsimileTelephoneNumber
2.5.4.24|x121Address
2.5.4.25|internationaliSDNNumber
2.5.4.26|registeredAddress
2.5.4.27|destinationIndicator
2.5.4.28|preferredDeliveryMethod
2.5.4.29|presentationAddress
2.5.4.30|supportedApplicationContext
2.5.4.31|member
2.5.4.32|owner
2.5.4.33|roleOccupant
2.5.4.34|seeAlso
2.5.4.35|userPassword
2.5.4.36|userCertificate
2.5.4.37|cACertificate
2.5.4.38|authorityRevocationList
2.5.4.39|certificateRevocationList
2.5.4.40|crossCertificatePair
2.5.4.41|name
2.5.4.42|GN|givenName
2.5.4.43|initials
2.5.4.44|generationQualifier
2.5.4.45|x500UniqueIdentifier
2.5.4.46|dnQualifier
2.5.4.47|enhancedSearchGuide
2.5.4.48|protocolInformation
2.5.4.49|distinguishedName
2.5.4.50|uniqueMember
2.5.4.51|houseIdentifier
2.5.4.52|supportedAlgorithms
2.5.4.53|deltaRevocationList
2.5.4.54|dmdName
2.5.4.65|pseudonym
2.5.4.72|role
2.5.4.97|organizationIdentifier
2.5.4.98|c3|countryCode3c
2.5.4.99|n3|countryCode3n
2.5.4.100|dnsName
2.5.4|X509
2.5.29.9|subjectDirectoryAttributes|X509v3 Subject Directory Attributes
2.5.29.14|subjectKeyIdentifier|X509v3 Subject Key Identifier
2.5.29.15|keyUsage|X509v3 Key Usage
2.5.29.16|privateKeyUsagePeriod|X509v3 Private Key Usage Period
2.5.29.17|subjectAltName|X509v3 Subject Alternative Name
2.5.29.18|issuerAltName|X509v3 Issuer Alternative Name
2.5.29.19|basicConstraints|X509v3 Basic Constraints
2.5.29.20|crlNumber|X509v3 CRL Number
2.5.29.21|CRLReason|X509v3 CRL Reason Code
2.5.29.23|holdInstructionCode|Hold Instruction Code
2.5.29.24|invalidityDate|Invalidity Date
2.5.29.27|deltaCRL|X509v3 Delta CRL Indicator
2.5.29.28|issuingDistributionPoint|X509v3 Issuing Distribution Point
2.5.29.29|certificateIssuer|X509v3 Certificate Issuer
2.5.29.30|nameConstraints|X509v3 Name Constraints
2.5.29.31|crlDistributionPoints|X509v3 CRL Distribution Points
2.5.29.32.0|anyPolicy|X509v3 Any Policy
2.5.29.32|certificatePolicies|X509v3 Certificate Policies
2.5.29.33|policyMappings|X509v3 Policy Mappings
2.5.29.35|authorityKeyIdentifier|X509v3 Authority Key Identifier
2.5.29.36|policyConstraints|X509v3 Policy Constraints
2.5.29.37.0|anyExtendedKeyUsage|Any Extended Key Usage
2.5.29.37|extendedKeyUsage|X509v3 Extended Key Usage
2.5.29.46|freshestCRL|X509v3 Freshest CRL
2.5.29.54|inhibitAnyPolicy|X509v3 Inhibit Any Policy
2.5.29.55|targetInformation|X509v3 AC Targeting
2.5.29.56|noRevAvail|X509v3 No Revocation Available
2.5.29|id-ce
2.16.840.1.101.3.4.3.1|dsa_with_SHA224
2.16.840.1.101.3.4.3.2|dsa_with_SHA256
2.16.840.1.101.3.4.3.3|id-dsa-with-sha384|dsa_with_SHA384
2.16.840.1.101.3.4.3.4|id-dsa-with-sha512|dsa_with_SHA512
2.16.840.1.101.3.4.3.5|id-dsa-with-sha3-224|dsa_with_SHA3-224
2.16.840.1.101.3.4.3.6|id-dsa-with-sha3-256|dsa_with_SHA3-256
2.16.840.1.101.3.4.3.7|id-dsa-with-sha3-384|dsa_with_SHA3-384
2.16.840.1.101.3.4.3.8|id-dsa-with-sha3-512|dsa_with_SHA3-512
2.16.840.1.101.3.4.3.9|id-ecdsa-with-sha3-224|ecdsa_with_SHA3-224
2.16.840.1.101.3.4.3.10|id-ecdsa-with-sha3-256|ecdsa_with_SHA3-256
2.16.840.1.101.3.4.3.11|id-ecdsa-with-sha3-384|ecdsa_with_SHA3-384
2.16.840.1.101.3.4.3.12|id-ecdsa-with-sha3-512|ecdsa_with_SHA3-512
2.16.840.1.101.3.4.3.13|id-rsassa-pkcs1-v1_5-with-sha3-224|RSA-SHA3-224
2.16.840.1.101.3.4.3.14|id-rsassa-pkcs1-v1_5-with-sha3-256|RSA-SHA3-256
2.16.840.1.101.3.4.3.15|id-rsassa-pkcs1-v1_5-with-sha3-384|RSA-SHA3-384
2.16.840.1.101.3.4.3.16|id-rsassa-pkcs1-v1_5-with-sha3-512|RSA-SHA3-512
2.16.840.1.113730.1.1|nsCertType|Netscape Cert Type
2.16.840.1.113730.1.2|nsBaseUrl|Netscape Base Url
2.16.840.1.113730.1.3|nsRevocationUrl|Netscape Revocation Url
2.16.840.1.113730.1.4|nsCaRevocationUrl|Netscape CA Revocation Url
2.16.840.1.113730.1.7|nsRenewalUrl|Netscape Renewal Url
2.16.840.1.113730.1.8|nsCaPolicyUrl|Netscape CA Policy Url
2.16.840.1.113730.1.12|nsSslServerName|Netscape SSL Server Name
2.16.840.1.113730.1.13|nsComment|Netscape Comment
2.16.840.1.113730.1|nsCertExt|Netscape Certificate Extension
2.16.840.1.113730.4.1|nsSGC|Netscape Server Gated Crypto
`

const BY_OID: ReadonlyMap<string, ObjectName> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [oid, short, long = short] = line.split('|')
      return [oid, { short, long }]
    }),
)

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...[...BY_OID].map(([oid, { long }]) => [long, oid] as const),
  ...[...BY_OID].map(([oid, { short }]) => [short, oid] as const),
])
