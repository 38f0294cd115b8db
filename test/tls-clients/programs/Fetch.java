// Fetches pages with the clients of Java: see program-clients.ts.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

public class Fetch {
  record Answer(int status, byte[] body) {}

  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = lines.readLine()) != null; ) {
      var visit = line.split("\t", -1);
      Answer answer;
      try {
        var context = contextOf(args[1], visit);
        answer = args[0].equals("client") ? byClient(context, visit) : byConnection(context, visit);
      } catch (IOException error) {
        System.err.println(visit[0] + " " + error);
        answer = new Answer(0, new byte[0]);
      }
      System.out.println(answer.status() + " " + Base64.getEncoder().encodeToString(answer.body()));
    }
  }

  static Answer byClient(SSLContext context, String[] visit) throws Exception {
    var parameters = new SSLParameters();
    parameters.setProtocols(new String[] {"TLSv" + visit[1]});
    var builder = HttpClient.newBuilder().sslContext(context).sslParameters(parameters);
    if (!visit[4].isEmpty()) builder.authenticator(authenticatorOf(visit));
    var request = HttpRequest.newBuilder(URI.create(visit[0])).build();
    var response = builder.build().send(request, HttpResponse.BodyHandlers.ofByteArray());
    return new Answer(response.statusCode(), response.body());
  }

  static Answer byConnection(SSLContext context, String[] visit) throws Exception {
    System.setProperty("https.protocols", "TLSv" + visit[1]);
    var connection = (HttpsURLConnection) URI.create(visit[0]).toURL().openConnection();
    connection.setSSLSocketFactory(context.getSocketFactory());
    if (!visit[4].isEmpty()) connection.setAuthenticator(authenticatorOf(visit));
    var status = connection.getResponseCode();
    try (InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(status, stream == null ? new byte[0] : stream.readAllBytes());
    }
  }

  static Authenticator authenticatorOf(String[] visit) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication(visit[4], visit[5].toCharArray());
      }
    };
  }

  /** Key stores in memory; of the type whose keys are decrypted fastest. */
  static SSLContext contextOf(String authority, String[] visit) throws Exception {
    var trusted = KeyStore.getInstance("JKS");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", certificateOf(authority));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var own = KeyStore.getInstance("JKS");
    own.load(null, null);
    if (!visit[2].isEmpty())
      own.setKeyEntry("own", keyOf(visit[3]), new char[0], new Certificate[] {certificateOf(visit[2])});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  static Certificate certificateOf(String file) throws Exception {
    try (var stream = Files.newInputStream(Path.of(file))) {
      return CertificateFactory.getInstance("X.509").generateCertificate(stream);
    }
  }

  static PrivateKey keyOf(String file) throws Exception {
    var text = Files.readString(Path.of(file)).replaceAll("-----[A-Z ]+-----|\\s", "");
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
  }
}
