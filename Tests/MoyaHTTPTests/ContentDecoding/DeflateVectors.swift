import Foundation

// Created by Python 3.11 (zlib 1.2.13), gzip 1.12, Node 20 and Java 17, as each name says, from the bytes of Vector.Plain.
extension Vector {
    /// Data in the format of RFC 1950.
    static let zlib: [Vector] = [
        Vector(
            "Python zlib.compress, level 0",
            """
            eAEB1AEr/nsiaWQiOjAsIm5hbWUiOiJNb3lhIiwidGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUiOjB9CnsiaWQiOjEsIm5hbWUi
            OiJNb3lhIiwidGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUiOjkxOX0KeyJpZCI6MiwibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0
            dHAiLCJzd2lmdCJdLCJzY29yZSI6Njc2fQp7ImlkIjozLCJuYW1lIjoiTW95YSIsInRhZ3MiOlsiaHR0cCIsInN3aWZ0Il0sInNjb3Jl
            IjoyNzF9CnsiaWQiOjQsIm5hbWUiOiJNb3lhIiwidGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUiOjcwNH0KeyJpZCI6NSwibmFt
            ZSI6Ik1veWEiLCJ0YWdzIjpbImh0dHAiLCJzd2lmdCJdLCJzY29yZSI6OTc1fQp7ImlkIjo2LCJuYW1lIjoiTW95YSIsInRhZ3MiOlsi
            aHR0cCIsInN3aWZ0Il0sInNjb3JlIjo4NH0KeyJpZCI6NywibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0dHAiLCJzd2lmdCJdLCJzY29y
            ZSI6MzF9CicHjQ0=
            """
        ),
        Vector(
            "Python zlib.compress, level 1",
            """
            eAGrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JVGrpbkpTKsZiVot4Jaak6jTGOhTACcHjQ0=
            """
        ),
        Vector(
            "Python zlib.compress, level 2",
            """
            eF6rVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JVGrpbkpTKsZiVot4Jaak6jTGOhTACcHjQ0=
            """
        ),
        Vector(
            "Python zlib.compress, level 3",
            """
            eF6rVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JVGrpbkpTKsZiVot4Jaak6jTGOhTACcHjQ0=
            """
        ),
        Vector(
            "Python zlib.compress, level 4",
            """
            eF6rVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JVGrpbkpTKsZiVot4Jaak6jTGOhTACcHjQ0=
            """
        ),
        Vector(
            "Python zlib.compress, level 5",
            """
            eF6rVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JVGrpbkpTKsZiVot4Jaak6jTGOhTACcHjQ0=
            """
        ),
        Vector(
            "Python zlib.compress, level 6",
            """
            eJyrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
        Vector(
            "Python zlib.compress, level 7",
            """
            eNqrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
        Vector(
            "Python zlib.compress, level 8",
            """
            eNqrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
        Vector(
            "Python zlib.compress, level 9",
            """
            eNqrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
        Vector(
            "Python zlib.compressobj, window of 512 bytes",
            """
            GJWrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
        Vector(
            "Python zlib.compressobj, window of 4096 bytes",
            """
            SImrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
        Vector(
            "java.util.zip.DeflaterOutputStream, Java 17",
            """
            eJyrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
        Vector(
            "zlib.deflateSync, Node 20",
            """
            eJyVz0EKwjAQRuF9jvGvs0iaJmNyB08gLkKN2oVNMQGR0rsLwnQ/B/h4vA3zDcloLPlVkHCu3wyNnh8N6YJn7ys02me+d1w12lTfBcns
            avtDK4TRRqaDkAYKTJ2QDmSZjkJKZmTqpa/kmQYhPR1REkpnd/UDJweNDQ==
            """
        ),
        Vector(
            "Python zlib.compress of nothing",
            plain: .empty,
            """
            eJwDAAAAAAE=
            """
        ),
        Vector(
            "Python, 200 bytes of noise",
            plain: .noise,
            """
            eJwByAA3/6VNyhglMLsdbRMs3tYjey7ZHj9yH8sZcRdElNZJPJ1cNGC+MSAeaf7aoO7ouZl/XHwpmf2v5ZMlPNZUr0361xQnoK6z/ukj
            L4ryIR+e5JHFsQvstVY7/B5vk0J+y8j+KVXlzY5G3I7Ut8J2TSpaTXZ3BvhdhpACSta9o0Ab6cjLzMk19s0fYSJq4VM4rho0AE0zug0k
            asBMgbG68j47+e71958rSTSvh/VSC2m5Sw2YLoW7VbZyqHJjes10Zvy2Dg6P8YRjsOSyaCpkRw==
            """
        ),
        Vector(
            "Python, Z_FIXED",
            """
            eAGrVspMUbIy0FHKS8xNVbJS8s2vTFTSUSpJTC9WsopWyigpKQByi8sz00qUYoGM5PwioDKDWq5qsEZDEjVaGlrCtBqRqNXM3Aym1ZhE
            rUbmhjCtJiRqNTcwgWk1JdWv5qYwrWYkarWAW2pOok5joE8BJweNDQ==
            """
        ),
    ]

    /// Data in the format of RFC 1951.
    static let raw: [Vector] = [
        Vector(
            "Python zlib.compressobj, window bits -15, level 0",
            """
            AdQBK/57ImlkIjowLCJuYW1lIjoiTW95YSIsInRhZ3MiOlsiaHR0cCIsInN3aWZ0Il0sInNjb3JlIjowfQp7ImlkIjoxLCJuYW1lIjoi
            TW95YSIsInRhZ3MiOlsiaHR0cCIsInN3aWZ0Il0sInNjb3JlIjo5MTl9CnsiaWQiOjIsIm5hbWUiOiJNb3lhIiwidGFncyI6WyJodHRw
            Iiwic3dpZnQiXSwic2NvcmUiOjY3Nn0KeyJpZCI6MywibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0dHAiLCJzd2lmdCJdLCJzY29yZSI6
            MjcxfQp7ImlkIjo0LCJuYW1lIjoiTW95YSIsInRhZ3MiOlsiaHR0cCIsInN3aWZ0Il0sInNjb3JlIjo3MDR9CnsiaWQiOjUsIm5hbWUi
            OiJNb3lhIiwidGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUiOjk3NX0KeyJpZCI6NiwibmFtZSI6Ik1veWEiLCJ0YWdzIjpbImh0
            dHAiLCJzd2lmdCJdLCJzY29yZSI6ODR9CnsiaWQiOjcsIm5hbWUiOiJNb3lhIiwidGFncyI6WyJodHRwIiwic3dpZnQiXSwic2NvcmUi
            OjMxfQo=
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 1",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSVRq6W5KUyrGYlaLeCWmpOo0xjoUwA=
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 2",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSVRq6W5KUyrGYlaLeCWmpOo0xjoUwA=
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 3",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSVRq6W5KUyrGYlaLeCWmpOo0xjoUwA=
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 4",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSVRq6W5KUyrGYlaLeCWmpOo0xjoUwA=
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 5",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSVRq6W5KUyrGYlaLeCWmpOo0xjoUwA=
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 6",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSXVr+amMK1mJGq1gFtqTqJOY6BPAQ==
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 7",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSXVr+amMK1mJGq1gFtqTqJOY6BPAQ==
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 8",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSXVr+amMK1mJGq1gFtqTqJOY6BPAQ==
            """
        ),
        Vector(
            "Python zlib.compressobj, window bits -15, level 9",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSXVr+amMK1mJGq1gFtqTqJOY6BPAQ==
            """
        ),
        Vector(
            "zlib.deflateRawSync, Node 20",
            """
            lc9BCsIwEEbhfY7xr7NImiZjcgdPIC5CjdqFTTEBkdK7C8J0Pwf4eLwN8w3JaCz5VZBwrt8MjZ4fDemCZ+8rNNpnvndcNdpU3wXJ7Gr7
            QyuE0Uamg5AGCkydkA5kmY5CSmZk6qWv5JkGIT0dURJKZ3f1Aw==
            """
        ),
        Vector(
            "Python, nothing",
            plain: .empty,
            """
            AwA=
            """
        ),
        Vector(
            "Python, 200 bytes of noise",
            plain: .noise,
            """
            AcgAN/+lTcoYJTC7HW0TLN7WI3su2R4/ch/LGXEXRJTWSTydXDRgvjEgHmn+2qDu6LmZf1x8KZn9r+WTJTzWVK9N+tcUJ6Cus/7pIy+K
            8iEfnuSRxbEL7LVWO/web5NCfsvI/ilV5c2ORtyO1LfCdk0qWk12dwb4XYaQAkrWvaNAG+nIy8zJNfbNH2EiauFTOK4aNABNM7oNJGrA
            TIGxuvI+O/nu9fefK0k0r4f1UgtpuUsNmC6Fu1W2cqhyY3rNdGb8tg4Oj/GEY7Dksg==
            """
        ),
        Vector(
            "Python, Z_FIXED",
            """
            q1bKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQakajVzNwMptWYRK1G
            5oYwrSYkajU3MIFpNSXVr+amMK1mJGq1gFtqTqJOY6BPAQ==
            """
        ),
        Vector(
            "Python, Z_SYNC_FLUSH at the start",
            """
            qlbKTFGyMtBRykvMTVWyUvLNr0xU0lEqSUwvVrKKVsooKSkAcovLM9NKlGKBjOT8IqAyg1quarBGQxI1WhpawrQaEdQKAAAA//9C1Wpm
            bgbTakyiViNzQ5hWExK1mhuYwLSaImsFAAAA//9LVNJRKklML1ayilbKKCkpAHKLyzPTSpRigYzk/KJUJStLc9NarmqlzBQlKzMdpbzE
            XKCYkm9+ZSJhrRYmMJ3mJOo0NqzlAgA=
            """
        ),
    ]
}
